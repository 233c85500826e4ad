"""The command line's grammar."""

import pytest

from advisor.cli.arguments import parse_arguments
from advisor.errors import InputError
from advisor.locale import language
from advisor.session.given.own_network import is_program


def test_report_without_a_file_goes_to_the_screen() -> None:
    """A dash stands for stdout."""
    assert parse_arguments(["--report"], language("en")).report == "-"


@pytest.mark.parametrize(
    ("argv", "hint"),
    [
        (["--suite", "huge"], "--suite"),
        (["--budget", "-5"], "above 0"),
        (["--deadline", "nan"], "above 0"),
        (["--deadline", "soon"], "'soon'"),
        (["--batch-size", "2.5"], "whole number"),
        (["--devices", "0"], "whole number"),
        (["--predict", "resnet50"], "--on"),
        (["--on", "T4"], "--predict"),
        (["--report", "--doctor"], "--doctor"),
        (["--devices", "4"], "--predict"),
        (["--resale", "120"], "from 0 to 100"),
        (["--resale", "half"], "from 0 to 100"),
        (["--workload", "resnet50", "--input-shape", "3,8,8"], "model.py:build"),
        (["--workload", "m.py:f", "--input-shape", "3,0,8"], "'0'"),
        (["--workload", "m.py:f", "--input-shape", "3,,8"], "whole number"),
        (["--no-such-option"], "--no-such-option"),
        (["--sui", "quick"], "--sui"),
        (["--framework-year", "24"], "--framework-year must be between 2012 and 2100, not 24."),
        (["--image-size", "2147483648"], "--image-size must be between 8 and 16,384"),
        (["--epochs", "1e300"], "--epochs must be between"),
        (["--samples", "9" * 5000], "is more than 100,000,000,000,000,000"),
        (["--predict", "resnet50", "--on", "T4", "--devices", f"{10**18}"], f"'{10**18}' is more than"),
        (["--list", "offers", "--format", "pdf"], "--format pdf goes with --report"),
        (["--predict", "resnet50", "--on", "T4", "--format", "html"], "--format html goes with --report"),
        (["--doctor", "--format", "md"], "--format md goes with --report"),
        (["--report", ""], "--report needs a value"),
        (["--doctor", ""], "An argument is empty."),
        (["", " "], "An argument is empty."),
        (["--loaders", "9" * 5000], "whole number"),
        (["--predict", "resnet50", "--on", "T4", "--devices", "65537"], "--devices must be between 1 and 65,536"),
        (["--workload", "m.py:f", "--input-shape", f"3,{2**40}"], "more than"),
        (["--max-minutes", "1e9"], "more than 10,080"),
        (["--torch-build", "../cu126"], "cpu, cu126 or xpu"),
    ],
)
def test_wrong_arguments_get_one_sentence_that_names_them(argv: list[str], hint: str) -> None:
    """The message names the argument and fits on one line."""
    with pytest.raises(InputError) as caught:
        parse_arguments(argv, language("en"))

    assert hint in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("model.py:build", True),
        ("/a folder/Model.PY", True),
        ("C:\\nets\\model.py:build", True),
        ("model.py", True),
        ("resnet50", False),
        ("mine.toml", False),
        ("llm.python", False),
    ],
)
def test_a_python_file_is_known_by_its_name(text: str, expected: bool) -> None:
    """With or without the name in it."""
    assert is_program(text) == expected


def test_a_card_can_be_asked_for_as_in_a_report() -> None:
    """With --predict, --gpu names the device as well as --on."""
    arguments = parse_arguments(["--predict", "resnet50", "--gpu", "TPU v5e"], language("en"))
    assert arguments.on == "TPU v5e"
