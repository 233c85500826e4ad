"""Which options are worth a line."""

import msgspec

from advisor.locale import language
from advisor.records.job.advice import Option
from advisor.report.content.options.option_rows import option_rows, shown_options
from advisor.units import HOUR_S
from tests.unit.report import samples
from tests.unit.report.samples import option

EN = language("en")


def _many() -> list[Option]:
    rented = [option(f"rent/x/{n}", "cloud", f"r{n}", HOUR_S, usd_per_h=1.0 + n) for n in range(30)]
    bought = [option(f"buy/{n}", "single_gpu", f"b{n}", HOUR_S, purchase_usd=400 + n) for n in range(30)]
    here = [option("here/cpu", "this_computer", "p", HOUR_S)]
    return [*rented, *bought, *here]


def test_each_tier_is_shown() -> None:
    """Thirty good rents do not hide purchases and this computer."""
    shown = shown_options(_many())
    assert len(shown) == 7
    assert {one.tier for one in shown} == {"cloud", "single_gpu", "this_computer"}
    assert shown[0].id == "rent/x/0"


def test_further_feasible_options_fill_the_table() -> None:
    """Where the tiers leave room, the next best come in, in order."""
    able = [msgspec.structs.replace(one, feasible=True) for one in _many()]
    shown = shown_options(able)
    assert len(shown) == 12
    assert [one.id for one in shown[:8]] == [f"rent/x/{n}" for n in range(8)]


def test_clusters_are_shown_only_where_one_is_the_answer() -> None:
    """Who needs one card need not read about sixty-four."""
    big = option("cluster/x/8", "cluster", "H100 SXM", HOUR_S, usd_per_h=99, count=64)
    small = option("rent/x/1", "cloud", "L4", HOUR_S, usd_per_h=1)
    assert [one.id for one in shown_options([small, big])] == [small.id]
    assert [one.id for one in shown_options([big, small])] == [big.id, small.id]


def test_a_device_is_shown_once_in_a_tier() -> None:
    """The best offer of a card stands for its dearer twins; devices of this computer are all its own."""
    twins = [option(f"rent/x/{n}", "cloud", "L4", HOUR_S, usd_per_h=1.0 + n) for n in range(5)]
    here = [option(f"here/{name}", "this_computer", "c", HOUR_S) for name in ("cuda:0", "cuda:1")]
    assert [one.id for one in shown_options([*twins, *here])] == ["rent/x/0", "here/cuda:0", "here/cuda:1"]


def test_a_row_is_in_words() -> None:
    """Time with interval, memory, electricity, price, and why not."""
    first, second, *_rest = option_rows(samples.enough(), EN)
    assert (first.tier, first.title, first.time, first.interval) == (
        "This computer",
        "GeForce RTX 2060 Laptop",
        "3½ minutes",
        "3 to 4 minutes",
    )
    assert first.memory == "1.9 of 6 GB"
    assert first.remark == "recommended"
    assert second.remark == "slower: 35 minutes"
    assert first.co2.replace("\N{NO-BREAK SPACE}", " ") == "2.7 g CO₂"


def test_what_is_unknown_is_a_dash() -> None:
    """No zero stands for a number nobody knows."""
    report = samples.cluster()
    [row] = [row for row in option_rows(report, EN) if row.option.id == "here/cpu"]
    assert {row.time, row.memory, row.cost, row.horizon, row.energy} == {"–"}
    assert row.interval == row.co2 == ""


def test_memory_without_limit_is_what_is_needed() -> None:
    """Where the device's memory is unknown, only the need is said."""
    unknown = option("buy/a", "single_gpu", "a", HOUR_S, memory_gib=None, purchase_usd=9)
    report = samples.enough()
    advice = msgspec.structs.replace(report.advice, options=(unknown,))
    [row] = option_rows(msgspec.structs.replace(report, advice=advice), EN)
    assert row.memory.replace("\N{NO-BREAK SPACE}", " ") == "1.9 GB"


def test_what_the_reasons_name_is_shown() -> None:
    """However far down it is, and although an equal device stands before it."""
    assert "rent/x/29" in [one.id for one in shown_options(_many(), named=("rent/x/29",))]
    twins = [option(f"rent/{n}/a", "cloud", "a", HOUR_S, usd_per_h=1.0) for n in "xy"]
    assert [one.id for one in shown_options(twins)] == ["rent/x/a"]
    assert [one.id for one in shown_options(twins, named=("rent/y/a",))] == ["rent/x/a", "rent/y/a"]
