"""Newer prices are fetched only when agreed, and what went wrong is named."""

from typing import cast

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from advisor.gui.pages.settings.prices_card import PricesCard
from advisor.records.hardware.device import RefreshProblem, RefreshResult
from tests.gui.conftest import WAIT_MS, Opener
from tests.gui.samples import FakeBackend
from tests.unit.gui.pages.settings.test_kept_data_card import card_of, say_yes


def test_prices_are_renewed_only_when_agreed(open_window: Opener, backend: FakeBackend, qtbot: QtBot) -> None:
    """The age is shown; a connection is opened after the user agreed, and what was refused is said."""
    fetched: list[int] = []
    dates = {"aws": "2026-11-02", "gcp": "2026-11-20"}

    def refresh() -> RefreshResult:
        fetched.append(1)
        dates["aws"] = "2026-11-21"
        problem = RefreshProblem(provider="gcp", code="too_few", detail="3 of 900")
        return RefreshResult(renewed=("aws",), problems=(problem,), offer_count=9)

    backend.price_dates = lambda: dict(dates)  # type: ignore[method-assign]
    backend.refresh_prices = refresh  # type: ignore[method-assign]
    window = open_window()
    prices = cast(PricesCard, card_of(window, PricesCard))
    qtbot.waitUntil(lambda: "Nov 2, 2026" in prices.age.text(), timeout=WAIT_MS)
    qtbot.mouseClick(prices.asking.offer, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(prices.asking.no, Qt.MouseButton.LeftButton)
    assert fetched == []

    say_yes(prices.asking, qtbot)
    qtbot.waitUntil(lambda: "Nov 21, 2026" in prices.age.text(), timeout=WAIT_MS)
    assert prices.outcome.text().startswith("The prices of 1 provider are new.")
    assert "gcp is too short (3 of 900)" in prices.outcome.text()


def test_prices_that_cannot_be_used_are_named(open_window: Opener, backend: FakeBackend, qtbot: QtBot) -> None:
    """Beside the age of the prices: of whom, what is wrong, and what is used instead; nothing where all is well."""
    refused = {"gcp": "row 3 has no price"}
    backend.refused_prices = lambda: dict(refused)  # type: ignore[method-assign]

    def refresh() -> RefreshResult:
        refused.clear()
        return RefreshResult(renewed=("gcp",))

    backend.refresh_prices = refresh  # type: ignore[method-assign]
    window = open_window()
    prices = cast(PricesCard, card_of(window, PricesCard))
    qtbot.waitUntil(lambda: not prices.refused.isHidden(), timeout=WAIT_MS)
    assert prices.refused.text() == (
        "The prices of Google Cloud fetched earlier cannot be used (row 3 has no price); "
        "those that came with the program are."
    )
    said = prices.refused.text()
    window.context.set_language("es")
    assert said in prices.refused.text() != said  # what the tests take for Spanish adds signs to the English

    say_yes(prices.asking, qtbot)
    qtbot.waitUntil(prices.refused.isHidden, timeout=WAIT_MS)
