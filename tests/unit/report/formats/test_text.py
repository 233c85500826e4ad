"""The same content as text, Markdown and HTML: complete, safe, self-contained."""

import msgspec
import pytest

from advisor.locale import language
from advisor.records.job.advice import Condition
from advisor.records.results.report import Report
from advisor.report.content.document_builder import document
from advisor.report.content.options.option_rows import option_rows
from advisor.report.formats.text import text_report
from tests.unit.report import samples

EN = language("en")
REPORTS = samples.every()


def test_the_answer_comes_first() -> None:
    """Nothing but the question stands before the verdict."""
    lines = text_report(samples.enough(), EN).splitlines()
    assert "This laptop is enough." in lines[:4]


@pytest.mark.parametrize("width", [40, 60, 80, 120])
@pytest.mark.parametrize("name", REPORTS)
def test_text_keeps_to_its_width(name: str, width: int) -> None:
    """No line is wider than the terminal, from narrow to wide."""
    text = text_report(REPORTS[name], EN, width=width)
    assert max(len(line) for line in text.splitlines()) <= width


def test_a_row_of_unknowns_is_its_name_and_kind() -> None:
    """In a narrow terminal, dashes are not worth a line."""
    report = samples.cluster()
    one = next(option for option in report.advice.options if option.id == "here/cpu")
    bare = msgspec.structs.replace(one, obstacle=None)
    advice = msgspec.structs.replace(report.advice, options=(bare,), chosen=None)
    text = text_report(msgspec.structs.replace(report, advice=advice), EN, width=40)
    assert "  Intel Xeon Gold 6256\n    This computer\n\n" in text


def test_a_narrow_option_says_all_of_itself() -> None:
    """Every column and its second line, where there is no room for columns."""
    text = " ".join(text_report(samples.rent(), EN, width=50).split())
    assert "L4 at RunPod Rent; Time of a run: 1½ hours (1 hour 20 minutes to 2 hours); Memory: 9 of 24 GB;" in text


def test_the_lines_of_a_narrow_cell_are_told_apart() -> None:
    """A range and the start after it were one run of words: "to 1 week 34 hours + 6 hours until it starts"."""
    report = samples.rent()
    late = msgspec.structs.replace(report.advice.options[0], before_s=6 * 3600.0)
    advice = msgspec.structs.replace(report.advice, options=[late, *report.advice.options[1:]])
    report = msgspec.structs.replace(report, advice=advice)
    row = next(row for row in option_rows(report, EN) if row.start)
    text = " ".join(text_report(report, EN, width=50).split())
    assert f"{row.time} ({row.interval}; {row.start})" in text


def test_text_has_no_colour_unless_asked() -> None:
    """Escape sequences only for a terminal that shows them."""
    assert "\x1b" not in text_report(samples.enough(), EN)
    coloured = text_report(samples.enough(), EN, is_coloured=True)
    assert "\x1b[1mThis laptop is enough.\x1b[0m" in coloured


def _near(condition: Condition, value: object) -> Report:
    near = next(one for one in samples.rent().advice.nearly if one.rule.tier is not None)
    one = msgspec.structs.replace(near, missing=condition, facts={condition.fact: value})
    advice = msgspec.structs.replace(samples.rent().advice, nearly=(one,))
    return msgspec.structs.replace(samples.rent(), advice=advice)


@pytest.mark.parametrize(
    ("condition", "value", "told"),
    [
        (Condition(fact="is_company", operator="==", value=True), False, True),
        (Condition(fact="fits_one_node", operator="==", value=False), True, False),
        (Condition(fact="time_on_one_gpu_s", operator="<=", value=86400), 100000.0, True),
        (Condition(fact="time_on_one_gpu_s", operator="<=", value=86400), 1e7, False),
        (Condition(fact="time_on_one_gpu_s", operator="<=", value=86400), None, False),
    ],
)
def test_only_what_is_near_is_told(condition: Condition, value: object, told: bool) -> None:
    """A rule that misses by far, or by what nobody can change, is not worth a line."""
    assert ("Almost applied:" in text_report(_near(condition, value), EN)) is told


def test_a_rule_without_a_missing_condition_is_not_near() -> None:
    """A near rule of an odd file does no harm."""
    near = next(one for one in samples.rent().advice.nearly if one.rule.tier is not None)
    advice = msgspec.structs.replace(samples.rent().advice, nearly=(msgspec.structs.replace(near, missing=None),))
    assert "Almost applied:" not in text_report(msgspec.structs.replace(samples.rent(), advice=advice), EN)


def test_without_options_there_is_no_table_of_them() -> None:
    """A report about nothing still reads well."""
    empty = msgspec.structs.replace(
        samples.buy().advice, options=(), reasons=(), fired=(), nearly=(), flips=(), chosen=None, disagreement=None
    )
    report = msgspec.structs.replace(samples.buy(), advice=empty)
    titles = {section.id for section in document(report, EN).sections}
    assert not titles & {"options", "why", "rules", "changes", "certainty"}
    assert "{" not in text_report(report, EN)


def test_many_options_are_counted() -> None:
    """What is left out of the table is said."""
    report = samples.enough()
    options = tuple(
        msgspec.structs.replace(one, id=f"{one.id}{n}", device=f"{one.device}{n}")
        for n in range(3)
        for one in report.advice.options
    )
    advice = msgspec.structs.replace(report.advice, options=options, chosen=options[0].id)
    text = text_report(msgspec.structs.replace(report, advice=advice), EN)
    assert "12 of 36 options" in text


@pytest.mark.parametrize("name", REPORTS)
def test_each_option_of_the_text_says_all_of_itself(name: str) -> None:
    """Interval, memory, electricity and CO2 stand under its row where there is no room for columns."""
    text = " ".join(text_report(REPORTS[name], EN, width=88).split())
    for row in option_rows(REPORTS[name], EN):
        for said in (row.interval, row.memory, row.energy, row.co2, row.cost, row.remark.split()[0]):
            assert said in {"", "–"} or " ".join(said.split()) in text, (row.title, said)


def test_the_parts_of_a_cost_have_their_method_under_them_where_there_is_little_room() -> None:
    """How a part is counted is not squeezed into a column of a few words beside it."""
    text = text_report(samples.rent(), EN, width=92)
    section = text[text.index("What it costs in") : text.index("\nWhy\n")].splitlines()
    rows = [line for line in section if line.startswith("      ") and line[6:7] != " "]
    assert rows
    assert max(len(line) for line in rows) > 40
