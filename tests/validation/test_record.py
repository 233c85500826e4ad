"""The figures of the page "How sure are we?" as they are shipped."""

import datetime
from statistics import fmean, median

import pytest

from advisor.catalog import load_held_out_times, load_validation
from advisor.predict.coefficients import memory_coefficients, time_coefficients
from advisor.records.results.validation import ArticleRow, ValidationRow
from advisor.report.documents.accuracy import SENTENCES

ROWS = load_validation().rows
LEAST_COVERAGE, MOST_COVERAGE = 0.72, 0.88
MOST_UNDERESTIMATED = 0.02


def test_every_row_has_source_and_date() -> None:
    """Each data set names where it is published and when it was read; its title and counts are there."""
    for row in ROWS:
        assert row.source.startswith("https://")
        assert datetime.date.fromisoformat(row.date) <= datetime.date.fromisoformat(load_validation().made)
        assert row.title
        assert row.rows >= row.networks > 0 < row.devices


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.name}-{row.held_out}")
def test_a_missed_aim_has_evidence(row: ValidationRow) -> None:
    """What falls short of its aim has figures of what the errors would be if one cause of them were known."""
    known = (row.device_known_ratio, row.network_known_ratio, row.fitted_ratio, *row.note_ratios.values())
    assert row.is_met or min(ratio for ratio in known if ratio is not None) < row.error_ratio


def test_intervals_hold_what_they_promise() -> None:
    """About 80 % of what was held out lies in its 80 % interval, in all sets together and in nearly each of them."""
    shares = [row.coverage_ratio for row in ROWS if row.coverage_ratio is not None]
    assert len(shares) == len(ROWS)
    assert LEAST_COVERAGE <= fmean(shares) <= MOST_COVERAGE
    assert LEAST_COVERAGE <= load_validation().coverage_ratio <= MOST_COVERAGE
    too_few = {row.name for row in ROWS if row.coverage_ratio is not None and row.coverage_ratio < LEAST_COVERAGE}
    # figures that nobody fitted; the last are of three programs that differ by 2.8 times on the same
    assert too_few <= {"people", "texts", "tuning"}


def test_every_text_can_be_translated() -> None:
    """Titles and notes in the file are among those the translators see."""
    lines: list[ValidationRow | ArticleRow] = [*ROWS, *load_validation().articles]
    shown = {text for line in lines for text in (line.title, line.note) if text}
    assert shown <= set(SENTENCES)


def test_shares_and_errors_agree() -> None:
    """Median, mean, greatest error and shares are those of one set of errors."""
    for row in ROWS:
        assert row.median_ratio <= row.largest_ratio >= row.error_ratio
        assert row.within_10_ratio <= row.within_25_ratio <= 1.0
        # of an even number the median lies between the two in the middle
        assert row.median_ratio > 0.10 or row.within_10_ratio >= 0.5
        assert row.median_ratio <= 0.10 or row.within_10_ratio <= 0.5


def test_memory_is_rarely_called_enough_where_it_is_not() -> None:
    """Fewer than 2 % of the jobs need more than 5 % beyond what is compared with the memory there is.

    The limit was fitted on 1,548 jobs; a part of them may have one more.
    """
    [memory] = [row for row in ROWS if row.what == "memory"]
    assert memory.bound_under_5_ratio is not None
    assert memory.bound_under_5_ratio < MOST_UNDERESTIMATED + 1.0 / memory.rows
    assert memory_coefficients().safety > 1.0


def test_articles_are_inside_or_say_why() -> None:
    """A duration an article reports lies in its interval, or a sentence says what limits the comparison."""
    articles = load_validation().articles
    assert {article.name for article in articles} >= {"cnn_gpu", "cnn_cpu", "densenet_gpu", "densenet_cpu"}
    for article in articles:
        assert article.is_inside == (article.low_s <= article.measured_s <= article.high_s)
        assert article.is_inside or article.note
        assert article.source
        assert article.date


def test_figures_belong_to_the_constants() -> None:
    """The validation was made with the constants that are shipped, or later."""
    assert load_validation().made >= max(time_coefficients().fitted, memory_coefficients().fitted)


def test_the_picture_shows_every_set_of_times() -> None:
    """Each set that was checked has points, as many predicted as measured, and about as far off as its row says."""
    drawn = {one.name: one for one in load_held_out_times()}
    assert set(drawn) == {row.name for row in ROWS if row.what == "time"} - {"lambda_known"}
    rows = {row.name: row for row in reversed(ROWS)}  # of two ways of holding out, the first
    for name, one in drawn.items():
        assert min(20, one.of_rows) <= len(one.measured_s) == len(one.predicted_s) <= one.of_rows
        assert one.held_out == rows[name].held_out
        assert one.width > 1.0
        off = median(abs(said / true - 1.0) for true, said in zip(one.measured_s, one.predicted_s, strict=True))
        assert abs(off - rows[name].median_ratio) < 0.12
