"""The menu of a value: copy it or its row, ask what it is, open where it comes from."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from advisor.gui.base.context import Context
from advisor.report.provenance.record import Provenance

_ADDRESS = re.compile(r"https?://[^\s)<>]+")


def value_menu(context: Context, parent: QWidget, value: str) -> QMenu:
    """Return a menu that copies a value; whoever opens it adds what else there is."""
    menu = QMenu(parent)
    menu.aboutToHide.connect(menu.deleteLater)
    if value:
        menu.addAction(context.gettext("Copy value"), lambda: copy_text(value))
    return menu


def add_rows(context: Context, menu: QMenu, row: Sequence[str], table: Callable[[], Sequence[Sequence[str]]]) -> None:
    """Let a menu copy a row, and the whole table with its titles, to be put into a spreadsheet."""
    menu.addAction(context.gettext("Copy row"), lambda: copy_text(_line(row)))
    menu.addAction(context.gettext("Copy table"), lambda: copy_table(table()))


def add_origin(context: Context, menu: QMenu, origin: Provenance | None, explain: Callable[[], object]) -> None:
    """Let a menu say what a number is, and open the page it is from; nothing where nothing is known."""
    if origin is None:
        return
    menu.addSeparator()
    menu.addAction(context.gettext("What is this number?"), explain)
    address = address_of(origin)
    if address:
        menu.addAction(context.gettext("Open its source"), lambda: QDesktopServices.openUrl(QUrl(address)))


def address_of(origin: Provenance) -> str:
    """Return the address of the page a number is from; empty where it has none."""
    found = _ADDRESS.search(" ".join((origin.source, *(text for _name, text in origin.inputs))))
    return found.group().rstrip(".,;") if found is not None else ""


def copy_text(text: str) -> None:
    """Put a text on the clipboard."""
    QGuiApplication.clipboard().setText(text)


def copy_table(rows: Sequence[Sequence[str]]) -> None:
    """Put rows on the clipboard, in the form that spreadsheets take."""
    copy_text("\n".join(map(_line, rows)))


def _line(cells: Sequence[str]) -> str:
    """Return cells as a line, with a tab between two."""
    return "\t".join(" ".join(cell.split()) for cell in cells)
