"""What an option saves or costs beside the recommended one."""

from advisor.gui.models.options.beside_pick import beside_pick, why_best
from advisor.locale import language
from advisor.records.results.report import Report


def test_what_could_be_the_answer_is_weighed_in_time_and_money(report: Report) -> None:
    """How much sooner and cheaper the others are; what else speaks against them is said in words."""
    english = language("en")
    assert beside_pick(report.advice.options[0], report, english) == ""
    weighed = [one for one in report.advice.options if one.obstacle in {"not_needed", "dearer", "slower"}]
    assert weighed
    chosen = report.advice.options[0]
    for one in weighed[:20]:
        said = beside_pick(one, report, english)
        is_sooner = (one.run_s or 0.0) < 0.9 * (chosen.run_s or 0.0)
        assert "\N{MINUS SIGN}" in said or "times as fast" in said or not is_sooner
        costs = [float(option.horizon_usd or 0.0) for option in (one, chosen)]
        assert ("about the same cost" in said) == (abs(costs[0] - costs[1]) <= 0.01 * costs[1]), "said of money too"
        is_much_sooner = 5 * (one.run_s or 0.0) <= (chosen.run_s or 0.0)
        assert ("times as fast" in said) == is_much_sooner, "minus 45 minutes stood beside every time below 3"
    other = next((one for one in report.advice.options if one.obstacle == "does_not_fit"), None)
    assert other is None or beside_pick(other, report, english) == ""
    assert why_best(report, english).startswith("Recommended: ")
