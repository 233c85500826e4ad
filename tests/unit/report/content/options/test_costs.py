"""The parts of each cost, to the hundredth."""

import re
from decimal import Decimal

import pytest

from advisor.catalog import find_workload
from advisor.locale import language
from advisor.records.job.workload import Circumstances
from advisor.records.request import Observation
from advisor.report.charts.cost_lines import cost_lines, money_at
from advisor.report.content.blocks import Bullets, Figure
from advisor.report.content.options.costs import costs_section, parts_table
from advisor.session.forecast import conclude
from tests.unit.benchmark.diagnosed import machine
from tests.unit.report import samples
from tests.unit.report.provenance.answers import answer
from tests.unit.session.cost_reader import CENT, told_columns, worked_out

EN = language("en")


def _decimal(cell: str) -> Decimal:
    return Decimal(0) if cell == "–" else Decimal(re.sub(r"[^\d.-]", "", cell))


@pytest.mark.parametrize("name", ["bert_finetuning", "resnet50", "article_cnn"])
def test_the_parts_of_a_column_add_up_to_its_last_row(name: str) -> None:
    """Of answers over the whole catalogue; every row says how it is worked out."""
    report = answer(find_workload(name).workload)
    table = parts_table(report, EN)
    assert len(table.header) > 3
    for column in range(1, len(table.header) - 1):
        *parts, total = (_decimal(row[column]) for row in table.rows)
        assert sum(parts) == total != 0
    assert all(row[-1] for row in table.rows)


def test_every_option_costs_the_sum_of_its_parts() -> None:
    """Of the whole catalogue."""
    report = answer(find_workload("bert_finetuning").workload)
    asked = report.circumstances
    runs = asked.runs_per_month * asked.horizon_months
    priced = [option for option in report.advice.options if option.horizon_usd is not None]
    assert len(priced) > 100
    for option in priced:
        assert sum(part.usd(runs) for part in option.cost_parts) == pytest.approx(option.horizon_usd)


def test_nothing_to_compare_is_no_section() -> None:
    """Neither for a cluster nor where no time is known."""
    assert costs_section(samples.every()["cluster"], EN).blocks == ()


def test_the_lines_are_a_picture_and_a_table() -> None:
    """A line each, with its name; text alone has the sentence and the parts."""
    report = samples.rent()
    chart = cost_lines(report, EN)
    assert chart is not None
    over_time = report.advice.cost_over_time
    assert over_time is not None
    assert [chart.svg.count(f'class="line {tier}"') for tier in ("single_gpu", "cloud")] == [1, 1]
    assert len(chart.table.header) == 1 + len(over_time.lines)
    assert not any(isinstance(one, Figure) for one in costs_section(report, EN, is_plain=True).blocks)
    line = over_time.lines[-1]
    assert money_at(line, line.points[-1][0]) == line.points[-1][1]
    assert money_at(line, 2 * over_time.most_runs_per_month) is None


@pytest.mark.parametrize("code", ["en", "es"])
@pytest.mark.parametrize("name", ["bert_finetuning", "llm_7b_lora", "resnet50"])
def test_the_figures_below_the_table_come_to_its_cells(name: str, code: str) -> None:
    """Multiplied by hand, in euros, with tries that fail; the rate of exchange stands with them."""
    spoken = language(code)
    asked = Circumstances(currency="EUR", country="DE", failed_tries=3.0, runs_per_month=2.0)
    report = conclude(Observation(machine=machine()), find_workload(name).workload, asked)
    told = told_columns(report, spoken)
    found = list(worked_out(report, spoken))
    assert {"rent", "buy"} <= {line.role for line in report.advice.cost_over_time.lines}  # type: ignore[union-attr]
    assert found
    for title, part, usd in found:
        assert abs(told[title][part] - usd) <= 2 * CENT, (title, part)
    lists = [one for one in costs_section(report, spoken).blocks if isinstance(one, Bullets)]
    assert lists[0].items[-1].text.startswith("1\N{NO-BREAK SPACE}USD = 0")


def test_of_one_run_the_picture_counts_runs_in_all() -> None:
    """Who trains once read "0.042 runs a month" along the axis."""
    asked = Circumstances(runs_per_month=1 / 24)
    chart = cost_lines(conclude(Observation(machine=machine()), find_workload("llm_7b_lora").workload, asked), EN)
    assert chart is not None
    assert chart.table.header[0] == "Runs in all"
    assert chart.table.rows[0][0] == "1"
    assert "Runs in all" in chart.svg
    assert "a month" not in chart.svg
