"""What the page of options shows."""

from PySide6.QtWidgets import QLabel

from advisor.gui.pages.options.page import OptionsPage


def facts(page: OptionsPage) -> str:
    """Return what the details say."""
    return "\n".join(each.text() for each in page.details.findChildren(QLabel) if not each.isHidden())
