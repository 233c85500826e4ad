"""The window: the only home of Qt. Paints what the core says; must not know how anything is measured or decided."""


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
