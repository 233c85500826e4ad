"""The real program, which also tells where its controls are when it is asked, so that a real mouse can find them.

``python placed_window.py FILE PYTHON`` opens the window as ``python -m advisor`` does; PYTHON starts what
it starts. On SIGUSR1 it writes into FILE every visible control: its name, its text, the middle of it on the screen, and
whether it is checked and can be used.
"""

import json
import runpy
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def controls() -> Iterator[dict[str, Any]]:
    """Yield every control that is seen, and every row of a list."""
    from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLabel, QLineEdit, QListWidget, QScrollArea

    kinds = (QAbstractButton, QComboBox, QLabel, QLineEdit, QListWidget, QScrollArea)
    for top in QApplication.topLevelWidgets():
        if not top.isVisible():
            continue
        for kind in kinds:
            for one in top.findChildren(kind):
                if not one.isVisible():
                    continue
                yield _control(one, one.rect().intersected(one.visibleRegion().boundingRect()))
                if isinstance(one, QListWidget):
                    yield from _rows(one)


def _control(widget: Any, seen: Any) -> dict[str, Any]:
    middle = widget.mapToGlobal(seen.center())
    return {
        "kind": type(widget).__name__,
        "name": widget.accessibleName(),
        "text": widget.text() if hasattr(widget, "text") else "",
        "x": middle.x(),
        "y": middle.y(),
        "is_seen": not seen.isEmpty(),
        "is_enabled": widget.isEnabled(),
        "is_checked": bool(hasattr(widget, "isChecked") and widget.isChecked()),
    }


def _rows(shown: Any) -> Iterator[dict[str, Any]]:
    for number in range(shown.count()):
        seen = shown.visualItemRect(shown.item(number)).intersected(shown.viewport().rect())
        middle = shown.viewport().mapToGlobal(seen.center())
        yield _control(shown, seen) | {
            "text": shown.item(number).text(),
            "x": middle.x(),
            "y": middle.y(),
            "kind": "row",
        }


def main() -> None:
    """Open the window."""
    place = Path(sys.argv[1])

    def tell(*_signal: object) -> None:
        written = place.with_suffix(".part")
        written.write_text(json.dumps(list(controls())), encoding="utf-8")
        written.replace(place)

    signal.signal(signal.SIGUSR1, tell)
    sys.executable = sys.argv[2]
    sys.argv = ["advisor"]
    runpy.run_module("advisor", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
