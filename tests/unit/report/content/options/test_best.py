"""The best of each answer is one and the same on every page, in every chart and report."""

import msgspec
import pytest

from advisor.catalog import preset
from advisor.gui.models.options.chart_points import option_points
from advisor.gui.models.options.table import OptionTable
from advisor.locale import language
from advisor.records.request import Observation
from advisor.records.results.report import Report
from advisor.report.charts.report_charts import buy_and_rent
from advisor.report.content.options.best import best_options
from advisor.report.content.options.place import place_of
from advisor.session.forecast import conclude
from tests.gui.samples import sample_report


@pytest.fixture(scope="module", params=["article_cnn", "bert_finetuning"])
def report(request: pytest.FixtureRequest) -> Report:
    """Return a real answer over the whole catalogue, of which the first of a list is not the best of its kind."""
    sample, job = sample_report(), preset(request.param)
    made = conclude(Observation(machine=sample.machine, benchmark=sample.benchmark), job.workload, job.circumstances)
    bought = [one for one in made.advice.options if one.tier == "single_gpu" and one.feasible and one.run_s]
    last = msgspec.structs.replace(bought[-1], device_count=1)
    others = tuple(one for one in made.advice.options if one.id != last.id)
    return msgspec.structs.replace(
        made, advice=msgspec.structs.replace(made.advice, tier="single_gpu", chosen=last.id, options=(*others, last))
    )


def test_two_pages_never_name_two_different_ones(report: Report) -> None:
    """The cards of the answer, the bar of all devices, the chart of time and cost, and when buying pays."""
    best = {one.tier: one.id for one in best_options(report)}
    place, pair = place_of(report), buy_and_rent(report)
    assert place is not None
    assert pair is not None
    assert {one.option.id for one in place.others if one.is_named} <= set(best.values())
    assert [one.id for one in pair] == [best["single_gpu"], best["cloud"]]
    table = OptionTable(report, language("en"))
    labelled = {table.options[one.row].id for one in option_points(table) if one.label}
    assert labelled <= set(best.values())
    assert best["single_gpu"] in labelled


def test_the_lines_over_runs_a_month_name_what_the_cards_name() -> None:
    """Two cards that are hardly faster than a laptop that is enough stood on one page, one card on the other."""
    sample, job = sample_report(), preset("article_cnn")
    made = conclude(Observation(machine=sample.machine, benchmark=sample.benchmark), job.workload, job.circumstances)
    best = {one.id for one in best_options(made)}
    assert made.advice.tier == "this_computer"
    assert made.advice.cost_over_time is not None
    assert {line.option for line in made.advice.cost_over_time.lines} <= best
