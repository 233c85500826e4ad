"""Where the time of a training step goes, by kind of work and operation by operation."""

import msgspec

from advisor.locale import language
from advisor.records.results.measured.measurement import Measurement
from advisor.report.content.blocks import Figure, Paragraph, Table
from advisor.report.content.measured.profile import profiles
from tests.unit.report.content.measured.results import recorded, run, words

EN, ES = language("en"), language("es")


def test_where_the_time_goes() -> None:
    """Shares as bars, the longest operations with their shapes, and how many are left out."""
    blocks = profiles(recorded(), EN)
    text = words(blocks)
    assert "loading data | 36.6% | 834 ms" in text
    assert "aten::copy_ | loading data | 3×150×150, 3×150×150 | 64 | 391 ms" in text
    assert "shorter ones are left out here." in text
    assert "A step took 2.28 s under the profiler and 2.34 s without it." in text
    [figure] = [block for block in blocks if isinstance(block, Figure)]
    assert "elementwise operations" in figure.chart.svg


def profiled(**changes: object) -> Measurement:
    """Return the recorded profile with some of it another way."""
    [found] = [one for one in recorded().measurements if one.case.program == "profile"]
    assert found.profile is not None
    return msgspec.structs.replace(found, profile=msgspec.structs.replace(found.profile, **changes))


def test_a_profile_of_a_card_or_of_nothing() -> None:
    """Shares are of the card's time there; without operations there is no table, without shares nothing."""
    text = words(profiles(run(profiled(is_device_time=True)), EN))
    assert "Shares of the card's time." in text
    short = profiles(run(profiled(operations=(), omitted=0)), EN)
    assert not [block for block in short if isinstance(block, Table | Paragraph)]
    few = recorded().measurements
    [found] = [one.profile for one in few if one.profile is not None]
    assert "left out here" not in words(profiles(run(profiled(operations=found.operations[:2], omitted=0)), EN))
    assert profiles(run(profiled(shares=())), EN) == ()
