"""The bar of all devices: what is marked on it, and which one is under the pointer."""

import msgspec
from pytestqt.qtbot import QtBot

from advisor.gui.base.context import Context
from advisor.gui.pages.advice.place_card import PlaceCard
from advisor.gui.widgets.number_label import Figure
from advisor.records.job.advice import Option
from tests.gui.conftest import find_language
from tests.gui.samples import sample_report


def test_the_device_under_the_pointer_is_named(qtbot: QtBot) -> None:
    """The slowest stands at the left and the fastest at the right; far from every line there is none."""
    from PySide6.QtWidgets import QApplication

    application = QApplication.instance()
    assert isinstance(application, QApplication)
    context = Context(application, find_language("en"), "light", find_language)
    card = PlaceCard(context)
    qtbot.addWidget(card)
    rows = (("this_computer", "laptop", 100.0), ("cloud", "A", 1000.0), ("cloud", "B", 950.0), ("single_gpu", "C", 1.0))
    options = tuple(
        Option(id=name, tier=tier, title=name, device=name, run_s=time, feasible=True)  # type: ignore[arg-type]
        for tier, name, time in rows
    )
    options = tuple(msgspec.structs.replace(one, before_s=600.0 if one.tier == "cloud" else 0.0) for one in options)
    report = sample_report()
    card.show_report(msgspec.structs.replace(report, advice=msgspec.structs.replace(report.advice, options=options)))
    card.bar.resize(400, 48)

    left, right = card.bar.nearest(5.0), card.bar.nearest(395.0)
    assert left is not None
    assert left.name == "A"
    assert right is not None
    assert right.name == "C"
    assert card.bar.nearest(200.0) is None
    assert card.bar.accessibleDescription().startswith("For this job this computer is faster than 2 of 3 devices")
    assert card._marks.count() == 3
    said = [figure.accessibleName() for figure in card.findChildren(Figure)]
    assert any("without its start" in one for one in said), said
    assert not card.bar.grab().toImage().isNull()
    context.deleteLater()
