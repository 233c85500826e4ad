"""The window: the only home of Qt. Paints what the core says; must not know how anything is measured or decided."""

import os

# Before Qt is first loaded: its classes are then made at once, not each when it is first asked for. Where that happens
# while another class is being made (in another thread, or as the collector ends a widget) the process crashes.
os.environ.setdefault("PYSIDE6_OPTION_LAZY", "0")


def main(argv: list[str], language_code: str | None = None) -> int:
    """Open the window, in a language where one is given, and return its exit status."""
    import sys

    from advisor.gui.app.application import run
    from advisor.resource import is_shipped, missing_files

    try:
        return run(argv, language_code)
    except OSError as error:
        if not is_shipped(error):
            raise
        sys.stderr.write(f"{missing_files()}\n")
        return 1
