"""The window: the only home of Qt. Paints what the core says; must not know how anything is measured or decided."""


def main(argv: list[str]) -> int:
    """Open the window and return its exit status."""
    from advisor.gui.app.application import run

    return run(argv)
