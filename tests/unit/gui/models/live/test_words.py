"""The live page's words: cards, programs, what is missing."""

import msgspec

from advisor.gui.models.live.words import absences, card_rows, cards_title, user_rows
from advisor.locale import language
from advisor.monitor.processes import CardUser
from advisor.records.hardware.telemetry import HostSample, TelemetrySample
from advisor.units import GIB
from tests.unit.gui.models.live.samples import card, plain

EN, ES = language("en"), language("es")


def test_a_card_in_one_row() -> None:
    """Each card of the moment with all it does; what is not known is a dash."""
    held = card(
        utilisation_ratio=0.9,
        memory_used_bytes=3 * GIB,
        memory_total_bytes=80 * GIB,
        power_w=300.0,
        power_limit_w=350.0,
        clock_hz=1.98e9,
        throttle_reasons=("power_limit", "heat"),
    )
    asleep = card(index=1, is_asleep=True)
    rows = card_rows(TelemetrySample(time_s=0.0, host=HostSample(), accelerators=(held, asleep)), EN)

    assert tuple(map(plain, rows[0])) == (
        "card 1",
        "90%",
        "3 of 80 GB",
        "–",
        "300 of 350 W",
        "1.98 / – GHz",
        "held back by its power limit, held back by heat",
    )
    assert rows[1][-1] == "asleep"


def test_equal_cards_are_named_once() -> None:
    """Above the table, and only numbered in it; different ones are named in their rows."""
    equal = TelemetrySample(time_s=0.0, host=HostSample(), accelerators=(card(), card(index=1)))
    other = msgspec.structs.replace(equal, accelerators=(*equal.accelerators, card(index=2, name="NVIDIA L4")))

    assert cards_title(equal, EN) == "Graphics cards now: 2 × H100"
    assert cards_title(other, EN) == "Graphics cards now"
    assert [row[0] for row in card_rows(other, EN)] == ["card 1 · H100", "card 2 · H100", "L4"]


def test_programs_on_the_cards_come_largest_first() -> None:
    """A program without a name or memory is still a row; one of a card that is gone is not."""
    sample = TelemetrySample(time_s=0.0, host=HostSample(), accelerators=(card(),))
    users = (
        CardUser(position=0, name=""),
        CardUser(position=0, name="python3", memory_bytes=2 * GIB),
        CardUser(position=3, name="gone", memory_bytes=GIB),
    )

    assert [tuple(map(plain, row)) for row in user_rows(users, sample, EN)] == [
        ("python3", "H100", "2 GB"),
        ("a program that may not be looked at", "H100", "–"),
    ]


def test_graphs_that_lack_the_same_share_a_line() -> None:
    """Three graphs of a card that is not there are one sentence."""
    text = absences([("Graphics card", "None."), ("Temperature", "not available."), ("Clock", "None.")])

    assert text == "Graphics card, clock: None.\nTemperature: not available."
