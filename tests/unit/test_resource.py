"""The program itself and its own files."""

import os
import sysconfig
from pathlib import Path

import pytest

from advisor import resource
from advisor.resource import given_path, make_private_file, program_environment, resource_path, resource_root


def test_the_files_are_found_in_a_checkout() -> None:
    """One function finds them, and the folders the program reads are there."""
    assert {"catalog", "rules", "locale", "templates"} <= {path.name for path in resource_root().iterdir()}
    assert resource_path("catalog").is_dir()


def test_the_worker_finds_the_same_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a checkout its folder comes first, and the user's own folders are kept."""
    monkeypatch.setenv("PYTHONPATH", "mine")
    root = str(Path(resource.__file__).parents[1])

    assert program_environment()["PYTHONPATH"].split(os.pathsep) == [root, "mine"]


def test_an_installed_package_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """What lies beside an installed package must not come before Python's own modules."""
    monkeypatch.delenv("PYTHONPATH", raising=False)
    monkeypatch.setattr(sysconfig, "get_path", lambda name: str(Path(resource.__file__).parents[1]))

    assert "PYTHONPATH" not in program_environment()


def test_a_home_is_found_in_a_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A shell leaves the sign for it alone after an equals sign; a home that nobody has is a folder like any other."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))

    assert given_path("~/a.json") == tmp_path / "a.json"
    assert given_path("a.json") == Path("a.json")
    assert given_path("~nobody-of-this-name/a.json") == Path("~nobody-of-this-name/a.json")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_only_a_file_is_taken_from_others(tmp_path: Path) -> None:
    """A link in its place may lead to a device, whose rights an administrator's run would take from all programs."""
    pipe, link, file = tmp_path / "pipe", tmp_path / "link", tmp_path / "file"
    os.mkfifo(pipe)
    file.touch()
    link.symlink_to(pipe)
    for path in (pipe, file):
        path.chmod(0o666)
    for path in (link, file):
        make_private_file(path)
    assert pipe.stat().st_mode & 0o777 == 0o666
    assert file.stat().st_mode & 0o777 == 0o600
