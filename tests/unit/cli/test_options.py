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
@pytest.mark.parametrize("value", NONSENSE, ids=lambda value: value[:6] or "empty")
def test_nonsense_is_refused_in_a_sentence(option: str, value: str) -> None:
    """No option ends in anything else, and none is taken for not given because nothing stands behind it."""
    sentence = refusal(*COMPANIONS.get(option, ()), f"{option}={value}", *(["b.json"] if option == "--compare" else []))
    assert "\n" not in sentence
    assert sentence or value.strip()


@pytest.mark.parametrize("option", [action.option_strings[-1] for action in build_parser(language("en"))._actions
                                    if action.type not in (None, str.upper)])  # fmt: skip
@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "-1", "1e400", "1e308", "9" * 5000, "½"])
def test_no_number_is_anything_but_one(option: str, value: str) -> None:
    """Whatever is to be counted or measured."""
    assert refusal(*COMPANIONS.get(option, ()), f"{option}={value}")
