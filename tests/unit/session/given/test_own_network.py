"""A network in the user's own program, as far as no worker is needed for it."""

import os
import sys
from pathlib import Path

import pytest

from advisor.errors import TraceError
from advisor.session.given.own_network import OwnProgram, source_of, trace_own


@pytest.mark.parametrize(
    "reference",
    ["~nobody-of-this-name/model.py:build", "no_such_folder/model.py:build", f"{'a' * 5000}.py:build", "\0.py:build"],
)
def test_a_file_that_is_not_there_is_said_in_a_sentence(reference: str) -> None:
    """Whatever the reason is: a home that nobody has, a folder that is not there, a name that no file can have."""
    with pytest.raises(TraceError, match=r"^There is no file "):
        trace_own(OwnProgram(reference=reference))


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have names of text alone")
def test_a_path_that_is_no_text_is_said(tmp_path: Path) -> None:
    """It could not be told to the measuring process, nor the network's name be written into a report."""
    folder = tmp_path / os.fsdecode(b"\xff")
    folder.mkdir()
    (folder / "model.py").touch()
    with pytest.raises(TraceError, match=r"model\.py is not UTF-8"):
        source_of(OwnProgram(reference=f"{folder}/model.py:build"))


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    """A folder may be called as a file of Python is."""
    (tmp_path / "model.py").mkdir()
    with pytest.raises(TraceError, match=r"^There is no file model\.py\.$"):
        trace_own(OwnProgram(reference=f"{tmp_path}/model.py:build"))
