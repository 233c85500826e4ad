"""The rows every bench leaves, and the one table that is made of them."""

from pathlib import Path
from types import ModuleType

import pytest

from tests.tool_module import tool_module


@pytest.fixture(scope="module")
def table() -> ModuleType:
    """Return the module, which is no part of the package."""
    return tool_module("bench_table")


def test_rows_reach_the_table_of_all(table: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What several tools print is read back in their order, aims and all."""
    file = tmp_path / "rows"
    monkeypatch.setenv(table.ROWS_VARIABLE, str(file))
    rows = [table.Row("a", "1.02", "within 3% of 1", True), table.Row("b", "2 ms"), table.Row("c", "5%", "3%", False)]
    table.show("One", rows[:2])
    table.show("Another", rows[2:])

    assert table.read_rows(file) == {"One": rows[:2], "Another": rows[2:]}


def test_alone_a_tool_only_prints(
    table: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a file to leave rows in, the table is on the screen, and a missed aim cannot be overlooked."""
    monkeypatch.delenv(table.ROWS_VARIABLE, raising=False)
    table.show("Title", [table.Row("a", "5%", "3%", False)])

    assert capsys.readouterr().out.split() == ["Title", "a", "5%", "3%", "NO"]


def test_columns_are_aligned(table: ModuleType) -> None:
    """Each column begins at the same place in every line, whatever group it stands in."""
    printed = list(
        table.lines({"One": [table.Row("short", "1")], "Another": [table.Row("rather long", "2", "1", False)]})
    )

    assert printed == [
        "what         result  aim  met",
        "-- One --",
        "short        1",
        "-- Another --",
        "rather long  2       1    NO",
    ]


def test_what_scatters_too_much_is_neither_met_nor_missed(
    table: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is called undecided, in its row and in the count."""
    file = tmp_path / "rows"
    monkeypatch.setenv(table.ROWS_VARIABLE, str(file))
    rows = [table.Row("a", "1", "2", True), table.Row("b", "1"), table.Row("c", "1", "2", "undecided")]
    table.show("One", rows)

    assert table.read_rows(file)["One"][2].cells[3] == "undecided"
    assert table.summary(rows) == "1 of 2 aims met, 1 undecided"
    assert table.summary(rows[:2]) == "1 of 1 aims met"
