"""What an option saves or costs beside the recommended one."""

import re

import msgspec

from advisor.catalog import find_workload
from advisor.gui.models.options.beside_pick import beside_pick, why_best
from advisor.gui.models.options.groups import arranged
from advisor.gui.models.options.table import OptionTable
from advisor.locale import language
from advisor.records.results.report import Report
from advisor.report.words.advice.reasons import obstacle_phrase
from advisor.units import HOUR_S
from tests.unit.gui.plain import plain
from tests.unit.report.provenance.answers import answer


def test_what_could_be_the_answer_is_weighed_in_time_and_money(report: Report) -> None:
    """How much sooner and cheaper the others are; what else speaks against them is said in words."""
    english = language("en")
    assert beside_pick(report.advice.options[0], report, english) == ""
    weighed = [one for one in report.advice.options if one.obstacle in {"not_needed", "dearer", "slower"}]
    assert weighed
    chosen = report.advice.options[0]
    for one in weighed[:20]:
        said = beside_pick(one, report, english)
        assert "× as fast" in said or one.done_s >= 0.9 * chosen.done_s
        assert "× slower" in said or one.done_s <= 1.1 * chosen.done_s
        costs = [float(option.horizon_usd or 0.0) for option in (one, chosen)]
        assert ("about the same cost" in said) == (abs(costs[0] - costs[1]) <= 0.01 * costs[1]), "said of money too"
        assert " min" not in said, "−40 min stood beside 20× as fast"
    other = next((one for one in report.advice.options if one.obstacle == "does_not_fit"), None)
    assert other is None or beside_pick(other, report, english) == ""
    assert why_best(report, english).startswith("Recommended: ")


def test_the_reason_and_the_remark_beside_an_option_tell_one_difference() -> None:
    """The table of the report said "costs $3.37 more" where the list of options said "$3.59 more"."""
    asked = answer(find_workload("bert_finetuning").workload)
    dearer = [one for one in asked.advice.options if one.obstacle == "dearer"]
    assert dearer
    for code in ("en", "es"):
        for one in dearer:
            said = obstacle_phrase(one, asked, language(code)).split()[1]  # "costs $3.59 more", "cuesta 3,59 $ más"
            assert said in beside_pick(one, asked, language(code))


def test_what_passes_until_a_rented_machine_starts_counts(report: Report) -> None:
    """A card that starts after 12 minutes was called 1,100 times as fast as 5 hours, for its run of 17 seconds."""
    chosen, *others = report.advice.options
    hours = msgspec.structs.replace(chosen, run_s=18_000.0, before_s=0.0, after_s=0.0)
    rented = next(one for one in others if one.offer is not None)
    rented = msgspec.structs.replace(
        rented, run_s=17.0, before_s=720.0, after_s=0.0, obstacle="dearer", horizon_usd=None
    )
    asked = msgspec.structs.replace(report, advice=msgspec.structs.replace(report.advice, options=(hours, rented)))
    assert beside_pick(rented, asked, language("en")) == "25× as fast"
    table = OptionTable(asked, language("en"))
    assert plain(table[1][2]) == "12 min"
    assert table.keys[1][2] == 737.0
    asked_of = table.origin(1, 2)
    assert asked_of is not None
    assert plain(asked_of.value) == "12 minutes"
    assert any(plain(text).startswith("17 seconds (") for _name, text in asked_of.inputs)
    assert "12 minutes" in [plain(text) for _name, text in asked_of.inputs]
    sooner = msgspec.structs.replace(rented, id="sooner", run_s=60.0, before_s=0.0)
    assert [one.id for one in arranged((rented, sooner), "time", "each", None).options] == ["sooner", rented.id]


def test_times_are_as_far_apart_as_they_read(report: Report) -> None:
    """4½ hours beside 1½ were told by what lies behind, and as 7 minutes less than a time that read the same."""
    chosen, *others = report.advice.options
    pick = msgspec.structs.replace(chosen, run_s=1.6 * HOUR_S, before_s=0.0, after_s=0.0, horizon_usd=None)
    other = next(one for one in others if one.obstacle == "dearer")

    def said(hours: float) -> str:
        slow = msgspec.structs.replace(other, run_s=hours * HOUR_S, before_s=0.0, after_s=0.0, horizon_usd=None)
        asked = msgspec.structs.replace(report, advice=msgspec.structs.replace(report.advice, options=(pick, slow)))
        return plain(beside_pick(slow, asked, language("en")))

    assert said(4.3) == "3× slower"
    assert said(1.1) == "1.4× as fast"
    assert said(1.7) == ""


def test_what_is_slower_is_told_in_words(report: Report) -> None:
    """“+$104, −40 min” and “+$373, 20× as fast” stood in neighbouring rows, and beside a quick pick “0.078×”."""
    pick = next(one for one in report.advice.options if one.obstacle in {"not_needed", "dearer", "slower"})
    chosen = report.advice.options[0]
    swapped = [msgspec.structs.replace(pick, obstacle=None), msgspec.structs.replace(chosen, obstacle="slower")]
    advice = msgspec.structs.replace(report.advice, options=tuple(swapped), chosen=pick.id)
    told = []
    for asked in (report, msgspec.structs.replace(report, advice=advice)):
        best = next(one for one in asked.advice.options if one.id == asked.advice.chosen)
        for one in asked.advice.options:
            said = plain(beside_pick(one, asked, language("en"), is_cell=True))
            found = re.search(r"([\d.,]+)(×|× slower)$", said)
            if found is not None:
                told.append(found[2])
                assert float(found[1].replace(",", "")) > 1
                assert (found[2] == "×") == (one.done_s < best.done_s)
    assert {"×", "× slower"} <= set(told)
