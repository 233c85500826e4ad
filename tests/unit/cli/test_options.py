"""No option takes nonsense for its value."""

import pytest

from advisor.cli.arguments import build_parser, parse_arguments
from advisor.cli.question import own_circumstances
from advisor.errors import InputError
from advisor.locale import language
from advisor.records.job.workload import Circumstances

NONSENSE = ("nan", "inf", "-inf", "-1", "0", "1e400", "1e308", "5e-324", "", " ", "x", "\x00", "9" * 5000, "½", "--")
OPTIONS = [action.option_strings[-1] for action in build_parser(language("en"))._actions]
COMPANIONS = {
    "--on": ["--predict", "resnet50"],
    "--devices": ["--predict", "resnet50", "--on", "T4"],
    "--predict": ["--on", "T4"],
    "--input-shape": ["--workload", "m.py:f"],
    "--trace": ["--suite", "full"],
}


def refusal(*argv: str) -> str:
    """Return the sentence that refuses a command line; empty where it is taken."""
    try:
        own_circumstances(Circumstances(), parse_arguments(argv, language("en")))
    except InputError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("option", OPTIONS)
def test_nonsense_is_refused_in_a_sentence(option: str) -> None:
    """No option ends in anything else, and none is taken for not given because nothing stands behind it."""
    rest = ["b.json"] if option == "--compare" else []
    for value in NONSENSE:
        sentence = refusal(*COMPANIONS.get(option, ()), f"{option}={value}", *rest)
        assert "\n" not in sentence, value
        assert sentence or value.strip(), value


@pytest.mark.parametrize("option", [action.option_strings[-1] for action in build_parser(language("en"))._actions
                                    if action.type not in (None, str.upper)])  # fmt: skip
def test_no_number_is_anything_but_one(option: str) -> None:
    """Whatever is to be counted or measured."""
    for value in ("nan", "inf", "-inf", "-1", "1e400", "1e308", "9" * 5000, "½"):
        assert refusal(*COMPANIONS.get(option, ()), f"{option}={value}"), value


def test_a_computer_runs_so_many_processes_at_most() -> None:
    """A hundred thousand would hold it up for minutes, and could not be ended meanwhile."""
    assert "'257' is more than 256" in refusal("--scaling", "--ranks", "257")
    assert not refusal("--scaling", "--ranks", "256")
