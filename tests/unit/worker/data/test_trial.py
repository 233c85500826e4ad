"""Files that end or hold up their decoder are found out before anything is timed."""

import sys

import pytest

from advisor.worker.data import trial
from advisor.worker.data.trial import try_files
from tests.unit.worker.cases.runs import Listener
from tests.unit.worker.data import crashing


@pytest.mark.skipif(sys.platform == "win32", reason="signals and pipes are those of Unix")
def test_a_file_that_ends_its_decoder_costs_that_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """A crash and one without end: the others are tried all the same."""
    monkeypatch.setattr(trial, "_serve", crashing.serve)
    monkeypatch.setattr(trial, "FILE_S", 0.3)
    tried = try_files(["a", "crash", "b", "endless", "c"], "image", is_by_row=False, time_s=60.0, progress=Listener())
    assert [item.path for item in tried.items] == ["a", "b", "c"]
    assert (tried.refused, tried.fatal) == (2, 2)
