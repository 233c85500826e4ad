"""The window: the only home of Qt. Paints what the core says; must not know how anything is measured or decided."""


def main(argv: list[str], language_code: str | None = None) -> int:
    """Open the window, in a language where one is given, and return its exit status."""
    from advisor.gui.app.application import run

    return run(argv, language_code)
