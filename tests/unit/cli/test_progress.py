"""What the terminal says of a session on the way: beside the tests, what is in the way and who."""

import io

import pytest

from advisor.cli.progress import Progress
from advisor.locale import language
from advisor.records.events import DoubtsFound, Event, ProgramsNamed
from advisor.records.results.measured.measurement import Condition

LOAD = Condition(kind="other_load", value=0.43, unit="ratio")


def said(*events: Event, code: str = "en") -> list[str]:
    """Return the lines that stand on stderr after some events."""
    stream = io.StringIO()
    progress = Progress(language(code), stream)
    for event in events:
        progress(event)
    return stream.getvalue().splitlines()


def test_what_is_in_the_way_is_said_before_measuring() -> None:
    """With the busiest programs, and what to do; what nobody can change is left out."""
    few = Condition(kind="few_free_cores", value=1.0, unit="cores")
    lines = said(DoubtsFound(conditions=(LOAD, few, Condition(kind="power_saver")), programs=("firefox", "code")))
    assert lines == [
        "Measurements would be worse than this computer can do.",
        "  Other programs use 43% of the processor, mainly “firefox” and “code”. Close what you do not need.",
        "  Power saving is switched on. Switch it off.",
    ]
    assert said(DoubtsFound(conditions=(few,))) == []


def test_a_load_without_names_or_numbers_is_said_all_the_same() -> None:
    """As where the names may not be read."""
    (_title, load) = said(DoubtsFound(conditions=(LOAD,)))
    assert load == "  Other programs use 43% of the processor. Close what you do not need."
    (_title, load) = said(DoubtsFound(conditions=(Condition(kind="other_load"),), programs=("firefox",)))
    assert load == "  Other programs use the processor. Close what you do not need."


def test_who_used_the_processor_is_said_after_measuring() -> None:
    """In the user's language."""
    (line,) = said(ProgramsNamed(programs=("firefox",)), code="es")
    assert "firefox" in line
    assert line.startswith("Otros programas (sobre todo")


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("name", "erased"), [("dumb", 0), ("xterm", 1)])
def test_a_terminal_that_takes_no_orders_is_written_to_plainly(
    name: str, erased: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One in an editor would show how its line is to be erased."""
    monkeypatch.setenv("TERM", name)
    stream = _Terminal()
    Progress(language("en"), stream)(ProgramsNamed(programs=("firefox",)))
    assert stream.getvalue().count("\x1b") == erased
