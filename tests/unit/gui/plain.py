"""Texts with ordinary blanks."""


def plain(text: str) -> str:
    """Return a text with ordinary blanks."""
    return text.replace("\N{NO-BREAK SPACE}", " ")
