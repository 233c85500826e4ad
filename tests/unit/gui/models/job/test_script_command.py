"""A script becomes the command that runs it, and a command words."""

from pathlib import Path

import pytest

from advisor.gui.models.job.script_command import command_for, words_of


def test_the_python_of_an_environment_beside_the_script_runs_it(tmp_path: Path) -> None:
    """Else the system's; blanks in a path survive."""
    script = tmp_path / "my project" / "train it.py"
    script.parent.mkdir()
    assert words_of(command_for(script))[1:] == [str(script)]
    for name in ("bin/python", "Scripts/python.exe"):
        place = script.parent / ".venv" / name
        place.parent.mkdir(parents=True)
        place.touch()
    python, again = words_of(command_for(script))
    assert Path(python).is_relative_to(script.parent / ".venv")
    assert again == str(script)


def test_an_open_quotation_mark_is_refused() -> None:
    """The dialog says so."""
    with pytest.raises(ValueError, match="quotation"):
        words_of("python 'x.py")
