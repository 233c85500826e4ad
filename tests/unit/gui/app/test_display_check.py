"""Screens and fonts that are not there are found out before the window opens."""

import socket
import sys
from pathlib import Path

import pytest

from advisor.gui.app import display_check
from advisor.gui.app.display_check import drawing_problem, drop_nonsense, lets_in, screen_problem
from advisor.locale import language

EN = language("en")
linux = pytest.mark.skipif(sys.platform != "linux", reason="other systems always have a screen")


@linux
def test_no_screen_is_one_sentence_with_the_way_out(tmp_path: Path) -> None:
    """Without any display variable the headless way is named."""
    sentence = screen_problem({}, EN, tmp_path)

    assert sentence == "No window can be opened here: there is no screen. Without a window: advisor --report"


@linux
def test_a_screen_that_does_not_answer_is_named(tmp_path: Path) -> None:
    """A display variable without a server behind it is found out before Qt is started."""
    sentence = screen_problem({"DISPLAY": ":4711"}, EN, tmp_path)

    assert sentence is not None
    assert "the screen :4711 does not answer" in sentence


@linux
@pytest.mark.parametrize("name", ["nonsense", "windows", "nonsense;cocoa", "vkkhrdisplay"])
def test_a_window_system_that_qt_lacks_is_named(name: str, tmp_path: Path) -> None:
    """Qt would abort the process."""
    sentence = screen_problem({"QT_QPA_PLATFORM": name}, EN, tmp_path)

    assert sentence is not None
    assert "offscreen" in sentence


@linux
@pytest.mark.parametrize("name", ["xcb", "wayland", "xcb;wayland", "XCB"])
def test_a_window_system_that_is_asked_for_must_answer(name: str, tmp_path: Path) -> None:
    """It is asked for by name, and there is none."""
    assert screen_problem({"QT_QPA_PLATFORM": name}, EN, tmp_path) is not None


@linux
@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("import os, sys; sys.stderr.write('here\\n EGL error\\n\\n'); sys.stderr.flush(); os.abort()", "EGL error"),
        ("raise SystemExit(7)", "status 7"),
        ("import time; time.sleep(60)", "there is no answer"),
    ],
)
def test_a_window_system_that_ends_or_holds_up_the_process_is_named(
    code: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as ``eglfs`` without a card: Qt aborts there, so another process goes first."""
    monkeypatch.setattr(display_check, "program_command", lambda *_: (sys.executable, "-S", "-c", code))
    monkeypatch.setattr(display_check, "_TRIAL_S", 0.5 if "sleep" in code else 60.0)

    sentence = screen_problem({"QT_QPA_PLATFORM": "eglfs:x=1"}, EN, tmp_path)

    assert sentence is not None
    assert f"QT_QPA_PLATFORM is eglfs, and Qt cannot start it ({reason})" in sentence


@linux
def test_a_window_system_that_starts_is_left_to_qt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A card of its own is enough for it."""
    monkeypatch.setattr(display_check, "program_command", lambda *_: (sys.executable, "-S", "-c", ""))

    assert screen_problem({"QT_QPA_PLATFORM": "eglfs"}, EN, tmp_path) is None


@linux
@pytest.mark.parametrize(
    "environment", [{"QT_QPA_PLATFORM": "OffScreen"}, {"QT_QPA_PLATFORM": "vnc:size=800x600"}, {"WAYLAND_SOCKET": "7"}]
)
def test_other_screens_are_left_to_qt(environment: dict[str, str], tmp_path: Path) -> None:
    """Where a platform or an open connection is named, Qt knows best."""
    assert screen_problem(environment, EN, tmp_path) is None


@linux
@pytest.mark.parametrize("is_path", [False, True])
def test_a_wayland_compositor_that_listens_is_a_screen(is_path: bool, tmp_path: Path) -> None:
    """A name lies in the runtime folder; a path is where it says."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as server:
        server.bind(str(tmp_path / "wayland-7"))
        server.listen()
        name = str(tmp_path / "wayland-7") if is_path else "wayland-7"
        environment = {"WAYLAND_DISPLAY": name, "XDG_RUNTIME_DIR": "/nowhere" if is_path else str(tmp_path)}

        assert screen_problem(environment, EN, tmp_path / "x") is None


@linux
def test_a_wayland_compositor_that_is_not_there_is_named(tmp_path: Path) -> None:
    """A name without a compositor behind it is a sentence, and an X server is looked for first."""
    environment = {"WAYLAND_DISPLAY": "wayland-7", "XDG_RUNTIME_DIR": str(tmp_path)}
    alone = screen_problem(environment, EN, tmp_path)
    both = screen_problem({**environment, "DISPLAY": ":4711"}, EN, tmp_path)

    assert alone is not None
    assert "the screen wayland-7 does not answer" in alone
    assert both is not None
    assert "the screen :4711 does not answer" in both


@linux
@pytest.mark.parametrize("takes_it", [True, False])
def test_a_server_that_listens_and_takes_the_user_is_a_screen(
    takes_it: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A socket in the usual place may still belong to another user; the libraries decide the rest."""
    monkeypatch.setattr(display_check, "lets_in", lambda _display: takes_it)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as server:
        server.bind(str(tmp_path / "X7"))
        server.listen()
        sentence = screen_problem({"DISPLAY": ":7.0"}, EN, tmp_path)

    if takes_it:
        assert sentence is None or "system library is missing" in sentence
    else:
        assert sentence is not None
        assert ":7.0 takes no program of this user" in sentence or "system library is missing" in sentence


@linux
def test_a_screen_of_nobody_lets_nobody_in() -> None:
    """The library says so; it does not end the process."""
    assert not lets_in(":64999")


def test_no_font_is_one_sentence_with_the_way_out() -> None:
    """Without fonts every letter would be a box; the program says so instead."""
    sentence = drawing_problem(has_screen=True, has_letters=False, language=language("en"))

    assert sentence is not None
    assert "no font" in sentence
    assert "advisor --report" in sentence
    assert drawing_problem(has_screen=True, has_letters=True, language=language("en")) is None


def test_a_platform_without_a_screen_is_said() -> None:
    """Qt begins on a framebuffer that is not there, and has no screen then."""
    sentence = drawing_problem(has_screen=False, has_letters=True, language=language("en"))
    assert sentence is not None
    assert "there is no screen. Without a window: advisor --report" in sentence


@pytest.mark.parametrize("size", ["nan", "0", "-1", "1e300", "inf", "abc", ""])
def test_a_size_that_nothing_could_be_drawn_in_is_not_passed_on(size: str) -> None:
    """Of one, Qt would make a picture of no size, or of all memory."""
    environment = {"QT_SCALE_FACTOR": size, "QT_FONT_DPI": size, "QT_STYLE_OVERRIDE": size}

    drop_nonsense(environment)

    assert environment == {"QT_STYLE_OVERRIDE": size}


def test_a_sensible_size_stays() -> None:
    """As people with large screens set it."""
    environment = {"QT_SCALE_FACTOR": "1.5", "QT_FONT_DPI": "144"}

    drop_nonsense(environment)

    assert environment == {"QT_SCALE_FACTOR": "1.5", "QT_FONT_DPI": "144"}
