"""Run under Wine: open the program's window, keep a picture of each of the pages that are named, and close it."""

import sys

from PySide6.QtCore import QTimer

from advisor.gui.app.application import make_application, open_window, settings_path
from advisor.gui.backend import Backend
from advisor.gui.base.settings import load_settings

SHOWN_MS = 10_000


def main(pages: list[str]) -> int:
    """Show one page after the other, as long as each takes to look at this computer."""
    application = make_application([])
    window = open_window(application, Backend(), load_settings(settings_path()))

    def show() -> None:
        window.stack.open(pages[0])
        QTimer.singleShot(SHOWN_MS, keep)

    def keep() -> None:
        window.grab().save(f"{pages.pop(0)}.png")
        show() if pages else window.close()

    QTimer.singleShot(0, show)
    return application.exec()


sys.exit(main(sys.argv[1:]))
