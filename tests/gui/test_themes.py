"""Looks: every theme by the same rules, switched while everything is open, at every scale the system asks for."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint

from advisor.gui.app.main_window import MainWindow
from advisor.gui.base.settings import Settings, load_settings
from advisor.gui.base.theme import THEMES, load_theme
from tests.gui.conftest import settle, visit_all

NAMED = tuple(name for name in THEMES if name != "system")
# Opens the window at the scale of the environment, and says what of it is outside of it.
LOOK = """
import sys
from pathlib import Path
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton
from advisor.gui.app.application import make_application
from advisor.gui.base.context import Context
from advisor.gui.base.settings import Settings
from advisor.gui.app.main_window import PAGES, MainWindow
from advisor.locale import language
from tests.gui.samples import FakeBackend

application = make_application([])
backend = FakeBackend()
backend.hold.set()
window = MainWindow(backend, Context(application, language("es"), "light"), Settings(path=Path(sys.argv[1])))
window.context.apply_theme()
width, height = (int(part) for part in sys.argv[2].split("x"))
window.resize(width, height)
window.show()
QTest.qWait(300)
for name in PAGES:
    window.stack.open(name)
    QTest.qWait(20)
    for each in window.findChildren(QAbstractButton):
        if each.isVisible() and each.text() and each.width() < each.minimumSizeHint().width():
            print(name, each.text())
picture = window.grab()
print(picture.width() == round(window.width() * picture.devicePixelRatio()), picture.devicePixelRatio())
window.close()
"""


def test_a_theme_is_put_on_while_everything_is_open(answered: MainWindow) -> None:
    """Every page takes each theme at once, without a restart."""
    visit_all(answered)
    shown = {}
    for name in (*NAMED[1:], NAMED[0]):  # it begins with another one than it has
        answered.context.set_theme(name)
        settle()  # as in the running window; what the page made anew would otherwise be dressed again each time
        picture = answered.grab().toImage()
        shown[name] = picture.pixelColor(QPoint(picture.width() - 5, picture.height() - 5)).name().upper()

    assert shown == {name: load_theme(name).colours["window"] for name in shown}


@pytest.mark.parametrize("name", THEMES)
def test_the_choice_is_kept(settings: Settings, name: str) -> None:
    """The next start wears the same theme."""
    settings.theme = name
    settings.save()

    assert load_settings(settings.path).theme == name


def test_the_window_opens_where_it_was_closed(answered: MainWindow) -> None:
    """Its size is kept between starts; nonsense in the file counts as not set."""
    answered.resize(800, 700)  # the offscreen screen is no wider
    answered.close()
    kept = load_settings(answered.settings.path).geometry
    assert kept

    answered.resize(1200, 800)
    answered._restore_place()
    assert (answered.width(), answered.height()) == (800, 700)

    answered.settings.geometry = "../x"
    answered.settings.save()
    assert load_settings(answered.settings.path).geometry == ""


@pytest.mark.parametrize(("scale", "size"), [("1", "3840x2160"), ("1.5", "1024x640"), ("3", "1024x640")])
def test_every_scale_is_sharp_and_whole(tmp_path: Path, scale: str, size: str) -> None:
    """From 100 to 300 %, and on a very large screen, no button is cut and a picture has every pixel of the screen."""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": scale}
    done = subprocess.run(
        [sys.executable, "-c", LOOK, str(tmp_path / "window.ini"), size],
        env=environment,
        cwd=Path(__file__).resolve().parents[2],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )

    assert done.stdout.splitlines() == [f"True {float(scale)}"], done.stderr[-2000:]
