"""What the system said, without the user."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.benchmark.running.redact_messages import LENGTH, shorten


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("cannot open /home/ana/net.py", "cannot open /home/~/net.py"),
        ("File '/Users/ana/x.py', line 3", "File '/Users/~/x.py', line 3"),
        (r"C:\Users\ana\torch\lib\c10.dll", r"C:\Users\~\torch\lib\c10.dll"),
        (r"'C:\\Users\\ana\\c10.dll'", r"'C:\\Users\\~\\c10.dll'"),
        ("CUDA error: out of memory", "CUDA error: out of memory"),
    ],
)
def test_names_in_paths_are_left_out(said: str, kept: str) -> None:
    """The folder named after the user is replaced, the rest is kept."""
    assert shorten(said, home=Path("/nowhere")) == kept


def test_home_folder_anywhere() -> None:
    """The user's own folder is replaced wherever it lies."""
    assert shorten("in /srv/people/ana/net.py", home=Path("/srv/people/ana")) == "in ~/net.py"


def test_a_home_at_the_root_replaces_nothing() -> None:
    """Accounts without a folder of their own have ``/``, which is no name."""
    assert shorten("in /opt/x.py", home=Path("/")) == "in /opt/x.py"


@given(st.text())
def test_one_short_printable_line(said: str) -> None:
    """Whatever was said becomes one line of limited length without control characters."""
    line = shorten(said)

    assert len(line) <= LENGTH
    assert line.isprintable() or line == ""
