"""What CI runs is what was read: foreign actions are named by their commit, since a tag can be moved."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_actions_by_commit() -> None:
    """Each action is named by 40 digits, with its version beside it for the reader."""
    used = [
        (file.name, line.strip())
        for file in (ROOT / ".github" / "workflows").glob("*.yml")
        for line in file.read_text(encoding="utf-8").splitlines()
        if "uses:" in line
    ]
    assert used
    loose = [one for one in used if not re.search(r"uses: [\w./-]+@[0-9a-f]{40}  # v\d+\.\d+\.\d+$", one[1])]
    assert loose == []
