"""The order of options, and which of them share a row."""

import math

import msgspec
import pytest

from advisor.gui.models.options.groups import arranged
from advisor.gui.models.options.table import OptionTable, option_cells
from advisor.locale import language
from advisor.records.job.advice import Option
from advisor.records.results.report import Report
from advisor.report.words import quantities
from advisor.report.words.advice.reasons import obstacle_phrase
from tests.unit.report import samples

EN = language("en")


@pytest.fixture(scope="module")
def report() -> Report:
    """Return a report in which two more are rented that take as long as the recommended one."""
    found = samples.rent()
    chosen = next(one for one in found.advice.options if one.id == found.advice.chosen)
    twins = tuple(msgspec.structs.replace(chosen, id=f"twin/{n}", horizon_usd=500.0 + n) for n in range(2))
    options = (twins[0], *found.advice.options, twins[1])
    return msgspec.structs.replace(found, advice=msgspec.structs.replace(found.advice, options=options))


def test_alike_share_a_row_of_the_recommended_one(report: Report) -> None:
    """None is lost; the recommended one stands for its row, with how many more are in it behind its name."""
    shown = arranged(report.advice.options, "best", "folded", report.advice.chosen)
    alike = shown.alike[report.advice.chosen or ""]
    assert {"twin/0", "twin/1"} <= {one.id for one in alike}
    assert len({(one.tier, one.prediction.limit) for one in alike if one.prediction is not None}) == 1
    assert len(shown.options) + sum(map(len, shown.alike.values())) == len(report.advice.options)
    assert shown.options[0].id == report.advice.chosen
    assert OptionTable(report, EN, shown.options, shown.alike)[0][1].endswith(f" (+{len(alike)} alike)")


def test_the_cheapest_stands_for_those_like_it(report: Report) -> None:
    """A card stood in the list at the price of another provider than in the report."""
    twins = [one for one in report.advice.options if one.id.startswith("twin/")][::-1]
    dear, cheap = twins
    assert arranged([dear, cheap], "best", "folded", None).options == [cheap]


def test_what_is_searched_for_stands_by_itself(report: Report) -> None:
    """Whoever searched for 5060 found no 5060 Ti: it was folded into the row of the other."""
    one = next(found for found in report.advice.options if found.id.startswith("twin/"))
    names = ("GeForce RTX 5060", "GeForce RTX 5060 Ti 16GB")
    cards = [msgspec.structs.replace(one, id=name, title=name, device=name) for name in names]
    again = msgspec.structs.replace(cards[1], id="again")
    found = [*cards, again]
    assert len(arranged(found, "best", "folded", None).options) == 1
    shown = arranged(found, "best", "folded", None, is_searched=True)
    assert [found.title for found in shown.options] == list(names)
    assert [len(others) for others in shown.alike.values()] == [1], "the same card elsewhere still shares its row"


def test_more_devices_that_gain_nothing_have_no_row(report: Report) -> None:
    """A job of 20,000 photos had a row of 4,096 cards, slower and dearer than eight, and one thing twice."""
    one = next(found for found in report.advice.options if found.id.startswith("twin/"))
    run_s = one.run_s or 0.0

    def made(count: int, slower: float, usd: float, **others: object) -> Option:
        named = f"{count}/{slower}/{usd}/{others}"
        changed = {"id": named, "device_count": count, "run_s": slower * run_s, "horizon_usd": usd, **others}
        return msgspec.structs.replace(one, **changed)

    few, idle = made(8, 1.0, 100.0), made(4096, 1.1, 9000.0)
    hardly, quicker, cheaper = made(16, 0.98, 200.0), made(32, 0.6, 400.0), made(64, 1.2, 50.0)
    twice = made(8, 1.0, 100.0, tier="cluster")
    found = [few, idle, hardly, quicker, cheaper, twice]
    shown = arranged(found, "best", "folded", None)
    kept = [each.id for row in shown.options for each in (row, *shown.alike.get(row.id, ()))]
    assert sorted(kept) == sorted(each.id for each in (few, quicker, cheaper))
    assert shown.idle == 3
    assert arranged([idle], "best", "folded", None).options == [idle], "alone in a search it is found"
    assert len(arranged(found, "best", "each", None).options) == len(found), "who asks for each gets each"
    assert idle in arranged(found, "best", "folded", idle.id).options, "never the recommended one"
    doubtful = msgspec.structs.replace(few, obstacle="interruptible")
    assert arranged([doubtful, idle], "best", "folded", None).idle == 0, "one that can be relied on is not left out"


def test_what_is_neither_sooner_nor_cheaper_is_not_among_the_best(report: Report) -> None:
    """Eight H200 for 1,750 USD stood beside four A100 for 293, as soon; a purchase is no rent."""
    one = next(found for found in report.advice.options if found.id.startswith("twin/"))
    run_s = one.run_s or 0.0

    def made(name: str, usd: float, slower: float, **others: object) -> Option:
        changed = {"id": name, "device": name, "horizon_usd": usd, "run_s": slower * run_s, "feasible": True, **others}
        return msgspec.structs.replace(one, **changed)

    dear, slow, four, quick = (
        made("8xH200", 1750, 0.99),
        made("T4", 400, 3.0),
        made("A100", 293, 1.0),
        made("B", 9e3, 0.5),
    )
    bought = made("RTX", 2000, 2.0, tier="single_gpu")
    unsure = made("spot", 5, 0.4, obstacle="interruptible")
    found = [dear, slow, four, quick, bought, unsure]
    for rows, names in (("each", ["A100", "B", "RTX", "8xH200", "T4", "spot"]), ("best", ["A100", "B", "RTX", "spot"])):
        assert [each.id for each in arranged(found, "best", rows, None).options] == names
    assert arranged(found, "best", "best", dear.id).options[0].id == dear.id, "never the answer"


def test_what_prints_the_same_time_as_something_cheaper_is_not_among_the_best(report: Report) -> None:
    """Two cards for 10,100 USD stood above rented ones for 2, their 1½ minutes those of two cards for 2,820."""
    one = next(found for found in report.advice.options if found.id.startswith("twin/"))
    one = msgspec.structs.replace(one, tier="single_gpu", feasible=True, offer=None)
    cheap, dear, sooner = (
        msgspec.structs.replace(one, id=name, device=name, run_s=run_s, horizon_usd=usd)
        for name, run_s, usd in (("A4000", 100.0, 2820.0), ("5000", 80.0, 10100.0), ("6000", 60.0, 20000.0))
    )
    rented = msgspec.structs.replace(cheap, id="rented", tier="cloud", horizon_usd=2.0)
    assert quantities.short_duration(cheap.done_s, EN) == quantities.short_duration(dear.done_s, EN)
    shown = arranged([dear, cheap, rented, sooner], "best", "each", None).options
    assert [each.id for each in shown] == ["A4000", "rented", "6000", "5000"]


def test_what_can_be_relied_on_stands_before_a_cheaper_second_choice(report: Report) -> None:
    """A machine that may be interrupted was the second best, and stood for the dependable one like it."""
    one = next(found for found in report.advice.options if found.id.startswith("twin/"))
    away = msgspec.structs.replace(one, id="away", obstacle="interruptible", horizon_usd=1.0)
    sure = msgspec.structs.replace(one, id="sure", obstacle="dearer", feasible=True)
    away = msgspec.structs.replace(away, feasible=True)
    shown = arranged([away, sure], "best", "folded", None)
    assert ([found.id for found in shown.options], shown.alike) == (["sure", "away"], {})


def test_each_by_itself_and_the_five_best(report: Report) -> None:
    """Nothing is folded where that is asked; and five rows are the most of the best."""
    each = arranged(report.advice.options, "best", "each", report.advice.chosen)
    assert (each.options[0].id, each.alike) == (report.advice.chosen, {})
    assert sorted(one.id for one in each.options) == sorted(one.id for one in report.advice.options)
    assert len(arranged(report.advice.options, "best", "best", report.advice.chosen).options) <= 5


@pytest.mark.parametrize(("order", "field"), [("time", "run_s"), ("money", "horizon_usd"), ("energy", "energy_j")])
def test_any_order_keeps_the_unknown_for_last(report: Report, order: str, field: str) -> None:
    """The least comes first; who is not known is not taken for nothing."""
    unknown = msgspec.structs.replace(
        report.advice.options[0], id="unknown", run_s=None, horizon_usd=None, energy_j=None
    )
    found = arranged([unknown, *report.advice.options], order, "each", None).options
    keys = [_value(one, field) for one in found]
    assert keys == sorted(keys)
    assert _value(found[-1], field) == math.inf


def _value(option: Option, field: str) -> float:
    value = getattr(option, field)
    return math.inf if value is None else float(value)


@pytest.mark.parametrize(
    ("fact", "short", "long"),
    [
        ("no_cuda", "no CUDA", "has no CUDA, which many programs need"),
        ("old_card", "not in the usual PyTorch", "older card: the usual PyTorch builds have no code for it"),
    ],
)
def test_why_a_device_is_less_supported_is_said(report: Report, fact: str, short: str, long: str) -> None:
    """Row after row had "fewer programs run on it"."""
    one = next(option for option in report.advice.options if option.tier == "cloud")
    one = msgspec.structs.replace(one, id="odd", obstacle="less_supported", obstacle_values={fact: 1.0})
    assert obstacle_phrase(one, report, EN) == long
    assert option_cells(one, report, EN)[-1] == short
