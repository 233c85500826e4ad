"""The page "How sure are we?": what was checked, how far off it was, and where an aim is missed."""

from typing import Any

import msgspec
import pytest

from advisor.catalog import load_validation
from advisor.locale import Language, language
from advisor.records.results.validation import ArticleRow, HeldOutTimes, Validation, ValidationRow
from advisor.report.content.blocks import Figure
from advisor.report.documents.accuracy import _NAMES, _RIVALS, SENTENCES, _rival, how_sure, set_title, unseen_sentence
from advisor.report.formats.text import text_report
from tests.unit.report import samples
from tests.unit.report.content.measured.results import words

EN, ES = language("en"), language("es")
_LETTER_PX = 7.2  # of the names beside the picture, on average


def row(name: str = "lambda", **changes: Any) -> ValidationRow:
    """Return a set of measurements."""
    usual: dict[str, Any] = {
        "title": "Training jobs on one card",
        "source": "https://example.org/measurements",
        "held_out": "device",
        "rows": 430,
        "devices": 20,
        "networks": 21,
        "error_ratio": 0.146,
        "median_ratio": 0.104,
        "largest_ratio": 0.9,
        "within_10_ratio": 0.49,
        "within_25_ratio": 0.82,
        "under_5_ratio": 0.3,
        "coverage_ratio": 0.83,
        "naive_ratio": 0.31,
        "rival": "Habitat",
        "rival_ratio": 0.118,
        "aim_ratio": 0.1,
    }
    return ValidationRow(name=name, **usual | changes)


def validation(*rows: ValidationRow, articles: tuple[ArticleRow, ...] = ()) -> Validation:
    """Return the figures of a validation."""
    return Validation(made="2026-11-21", coverage_ratio=0.85, rows=rows, articles=articles)


def said(found: Validation) -> str:
    """Return everything on the page."""
    page = how_sure(found, EN)
    return "\n".join(
        (page.verdict.text, *(one.text for one in page.lead), *(words(section.blocks) for section in page.sections))
    )


def test_it_begins_in_plain_words() -> None:
    """What half of the predictions reach on what was never seen, and what the interval is worth."""
    found = validation(row(), row("neusight", median_ratio=0.08), row("gemm", median_ratio=0.5),
                       row("timm_train", held_out="network", median_ratio=0.01))  # fmt: skip
    page = how_sure(found, EN)
    assert page.verdict.text == ("On hardware it had never seen, the program was typically 9% off.")
    assert tuple(one.text for one in page.lead[:3]) == (
        "Next to each time is a range, such as “3 to 5 hours”. It should contain the true time in 80% of cases; "
        "here it did in 85%.",
        "Over jobs of all kinds it was 8% in the easiest set of measurements, and 10% in the hardest.",
        "Comparing only the speeds in data sheets is off by 31% on average; on the same measurements the program "
        "is off by 15%.",
    )
    assert how_sure(validation(row()), EN).verdict.text.endswith("was typically 10% off.")
    assert "was not checked" in how_sure(validation(row(what="memory")), EN).verdict.text


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            {"input_kind": "jpeg"},
            "For jobs like yours, which train an image network, the program was typically 20% off",
        ),
        ({"input_kind": "jpeg", "task": "infer"}, "On hardware it had never seen, the program was typically 8% off"),
        (
            {"input_kind": "text", "image_size": None, "sequence_length": 128},
            "For jobs like yours, with texts or language models, the program was typically 5% off",
        ),
        ({"method": "classical"}, "On hardware it had never seen, the program was typically 8% off"),
    ],
)
def test_the_usual_error_of_the_users_kind_of_job_comes_first(changes: dict[str, Any], said: str) -> None:
    """The headline was two extremes, 3% and 37%, neither of which was of the reader's job."""
    found = validation(
        row(median_ratio=0.08),
        row("neusight", median_ratio=0.03),
        row("texts", median_ratio=0.07),
        row("lamikr", median_ratio=0.2),
    )
    job = msgspec.structs.replace(samples.ARTICLE_CNN, **changes)
    text = unseen_sentence(found, EN, job)
    assert text.startswith(said)
    extremes = how_sure(found, EN, workload=job).lead[1].text
    assert extremes.endswith("3% in the easiest set of measurements, and 20% in the hardest.")


def test_every_set_stands_beside_a_plain_rule_and_others() -> None:
    """Error, median, shares, coverage, rivals and aim; with nothing known, a dash."""
    text = said(validation(row(untold_ratio=0.182, fitted_ratio=0.124)))
    size = "430 measurements, 20 devices, 21 networks"
    ours = f"{size} | 14.6% | 10.4% | 49% · 82% | 83% | 18.2% | 12.4% | 31%"
    assert f"Training jobs on one card\n{ours} | 11.8%\nHabitat | 10%" in text
    bare = row(
        "unheard_of", title="", coverage_ratio=None, naive_ratio=None, rival=None, rival_ratio=None, aim_ratio=None
    )
    assert f"unheard of\n{size} | 14.6% | 10.4% | 49% · 82% | – | – | – | – | –\n | –" in said(validation(bare))
    assert "aims are reached" not in said(validation(bare))


def test_the_chart_marks_ours_others_and_the_aim() -> None:
    """One mark of its own shape for each; what is far off lies at the edge."""
    page = how_sure(validation(row(naive_ratio=3.0)), EN)
    [figure] = [block for block in page.sections[0].blocks if isinstance(block, Figure)]
    svg = figure.chart.svg
    assert svg.count("<circle") == svg.count("<rect") + 2 == 2
    for name in ("ours", "a plain rule", "other predictors", "what we aimed at", "100% or more"):
        assert f">{name}</text>" in svg
    assert "Training jobs on one card, a plain rule: 300%" in svg


def test_missed_aims_are_said_with_what_limits_them() -> None:
    """By how much, why, and how good anybody could be; a factor that helps nothing is not named."""
    odd = row(device_known_ratio=0.05, network_known_ratio=0.12, fitted_ratio=0.11, noise_ratio=0.09)
    strict = row(aim_ratio=0.2, aim_median_ratio=0.05, aim_largest_ratio=0.3)
    vain = row(device_known_ratio=0.15, network_known_ratio=0.3, fitted_ratio=0.2)
    page = how_sure(validation(row(), odd, strict, row(aim_ratio=0.2), vain), EN)
    [section] = [one for one in page.sections if one.id == "aims"]
    assert words(section.blocks).splitlines() == [
        "1 of 5 aims are reached.",
        "On average 14.6% instead of 10%.",
        "On average 14.6% instead of 10%. If one factor for each device were known, it would be 5%. If one factor for "
        "each network were known, it would be 12%. With the job's own software, computer and copies known it is 11%. "
        "Published measurements of the same thing lie 9% from their middle: nobody can predict better than that.",
        "Half within 10.4% instead of 5%, at most 90% instead of 30%.",
        "On average 14.6% instead of 10%.",
    ]


def test_intervals_that_hold_too_few_or_too_many_are_said() -> None:
    """The share inside, and in how many devices or networks; a set that keeps to its share is not named."""
    few = row(coverage_ratio=0.6)
    many = row("timm_train", title="Training of image networks", held_out="network", coverage_ratio=0.95)
    page = how_sure(validation(row(), few, many), EN)
    [section] = [one for one in page.sections if one.id == "aims"]
    assert words(section.blocks).splitlines()[-3:] == [
        "Between 72% and 88% of each set should lie in its intervals. It is otherwise for:",
        "60% inside: intervals are as wide as all sets ask for, and half of this set lies within 10.4%.",
        "95% inside: intervals are as wide as all sets ask for, and half of this set lies within 10.4%.",
    ]


def test_what_has_to_be_known_of_a_set_stands_below_its_table() -> None:
    """With its figures in their places."""
    note = "Only measurements whose image size is known; with all of them the error is {all}."
    text = said(validation(row(note=note, note_ratios={"all": 0.081})))
    assert "is known; with all of them the error is 8.1%." in text


def test_the_articles_hours_are_told() -> None:
    """Inside the interval or not, and what is known about it."""
    inside = ArticleRow(name="cnn_gpu", measured_s=209, predicted_s=215, low_s=134, high_s=538, is_inside=True)
    outside = ArticleRow(
        name="job",
        title="DenseNet121 on a workstation card",
        source="An author",
        measured_s=7200,
        predicted_s=1600,
        low_s=1000,
        high_s=4000,
        is_inside=False,
        note="The article ran a profiler beside the training.",
    )
    text = said(validation(row(), articles=(inside, outside)))
    assert "cnn gpu\n | 3½ minutes | 3½ minutes | 2 to 9 minutes | yes" in text
    assert "DenseNet121 on a workstation card\nAn author | 2 hours | 27 minutes | 17 minutes to 1 hour " in text
    assert "The articles' own hours" not in [section.title for section in how_sure(validation(row()), EN).sections]


def test_a_ratio_is_no_duration() -> None:
    """Where an article says how many times as long something takes, no unit of time stands beside it."""
    ratio = ArticleRow(name="a_b", unit="times", measured_s=2.0, predicted_s=2.8, low_s=1.7, high_s=4.7, is_inside=True)
    assert "a b\n | 2 | 2.8 | 1.7 to 4.7 | yes" in said(validation(row(), articles=(ratio,)))


def test_what_is_shipped_has_words() -> None:
    """Every title and note of the figures of this version can be translated."""
    found = load_validation()
    rows: list[ValidationRow | ArticleRow] = [*found.rows, *found.articles]
    said = {text for one in rows for text in (one.title, one.note)}
    assert said - {""} <= set(SENTENCES)


def test_a_report_has_the_short_form() -> None:
    """The sentence, and where the rest is; a report without figures has none."""
    report = msgspec.structs.replace(samples.enough(), validation=validation(row()))
    text = " ".join(text_report(report, EN).split())
    assert "the program was typically 10% off." in text
    assert "advisor --how-sure" in text
    assert "--how-sure" not in text_report(samples.enough(), EN)


def test_all_else_is_folded_behind_the_picture() -> None:
    """With times the picture comes first and open; without them nothing is folded."""
    times = HeldOutTimes(
        name="lambda", title="", held_out="device", of_rows=2, width=1.4, measured_s=(1.0, 2.0), predicted_s=(1.1, 2.0)
    )
    first, *others = how_sure(validation(row()), EN, [times]).sections
    assert (first.id, first.is_folded, [one.is_folded for one in others]) == ("picture", False, [True] * len(others))
    assert not any(section.is_folded for section in how_sure(validation(row()), EN).sections)


def test_of_what_a_time_must_be_trusted_least_is_said() -> None:
    """A headline of "3 to 40%" stood above a set of 55%; disturbed checks are in none of them."""
    far = row("people_small", title="Published: image networks in small batches", error_ratio=0.55)
    lead = [one.text for one in how_sure(validation(row(), far), EN).lead]
    said = "it is highest, 55%, for the measurements listed below as “Published: image networks in small batches”"
    assert any(said in one for one in lead)
    assert any("other programs disturbed a check" in one for one in lead)
    assert len(lead) <= 4, "as many as the page has room for"


def test_one_of_something_is_not_several() -> None:
    """It read "1 dispositivos"."""
    shown = validation(row(devices=1, networks=2))
    assert "430 measurements, 1 device, 2 networks" in said(shown)


@pytest.mark.parametrize("spoken", [EN, ES], ids=["en", "es"])
def test_the_names_of_the_shipped_sets_are_whole_and_of_one_language(spoken: Language) -> None:
    """One was cut at the left of the picture; "Habitat, its own data" stood in a Spanish table."""
    shipped = load_validation()
    room = (_NAMES - 14) / _LETTER_PX
    assert [title for one in shipped.rows if len(title := set_title(one, spoken)) > room] == []
    rivals = {one.rival for one in shipped.rows if one.rival}
    assert rivals <= set(_RIVALS)
    assert spoken.code == "en" or not any(" own " in _rival(one, spoken) for one in shipped.rows)
