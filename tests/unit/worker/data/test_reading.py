"""Reading the user's files for its time waits for nothing."""

import os
import sys
from pathlib import Path

import pytest

from advisor.worker.data.reading import time_reading
from tests.unit.worker.cases.runs import Listener


@pytest.mark.skipif(sys.platform == "win32", reason="pipes are those of Unix")
def test_a_pipe_is_never_waited_for(tmp_path: Path) -> None:
    """It took the name of a file after that was found."""
    os.mkfifo(tmp_path / "a.jpg")
    assert time_reading([str(tmp_path / "a.jpg")], 0.1, Listener()) == {}
