"""What opens files and folders."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from advisor.gui.base import desktop
from tests.gui.conftest import WAIT_MS


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere Qt opens files")
def test_other_programs_do_not_inherit_our_libraries(
    monkeypatch: pytest.MonkeyPatch, opener: Callable[[str], None], tmp_path: Path, qtbot: QtBot
) -> None:
    """In the package, what opens a folder gets the library path the desktop has, not the package's."""
    noted = tmp_path / "noted"
    opener(f'echo "$1 <$LD_LIBRARY_PATH>" > "{noted}.part"; mv "{noted}.part" "{noted}"')
    monkeypatch.setenv("LD_LIBRARY_PATH", "/opt/advisor/_internal")
    monkeypatch.setenv("LD_LIBRARY_PATH_ORIG", "/usr/local/lib")
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    owner = QObject()
    unopened: list[str] = []
    opening = desktop.Opener(owner)
    opening.unopened.connect(unopened.append)

    opening.open("/some/folder")
    qtbot.waitUntil(noted.exists, timeout=WAIT_MS)
    assert noted.read_text() == "/some/folder </usr/local/lib>\n"
    qtbot.waitUntil(lambda: not opening.is_watching, timeout=WAIT_MS)
    assert unopened == []
    assert not desktop.start("no-such-program-at-all", [])


def test_elsewhere_qt_opens_files(monkeypatch: pytest.MonkeyPatch, qapp: QApplication) -> None:
    """On Windows and macOS it knows at once whether it could."""
    could = iter([True, False])
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _url: next(could))
    owner = QObject()
    unopened: list[str] = []
    opening = desktop.Opener(owner, "win32")
    opening.unopened.connect(unopened.append)
    opening.open("/first")
    assert unopened == []
    opening.open("/second")
    assert unopened == ["/second"]
