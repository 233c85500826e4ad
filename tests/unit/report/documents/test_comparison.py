"""Two reports side by side in plain text."""

import datetime

import msgspec

from advisor.locale import language
from advisor.records.results.comparison import ComparedCase, Comparison
from advisor.report.documents.comparison import comparison_text
from tests.unit.report.samples import enough

EN = language("en")


def said(**fields: object) -> list[str]:
    """Return the lines about one case that both measured, B twice as fast, and what was changed of it."""
    first = enough()
    assert first.benchmark is not None
    known = {"first_s": 2.0, "second_s": 1.0, "speed_ratio": 2.0, "noise_ratio": 0.03, "is_beyond_noise": True}
    one = ComparedCase(case=first.benchmark.measurements[0].case, **(known | fields))  # type: ignore[arg-type]
    compared = Comparison(cases=(one,), only_first=("x",), only_second=("y", "z"))
    second = msgspec.structs.replace(first, created_at=datetime.datetime(2026, 12, 24, 12).astimezone().isoformat())
    return comparison_text(first, second, compared, EN).replace("\N{NO-BREAK SPACE}", " ").splitlines()


def test_the_faster_one_is_named_with_how_much() -> None:
    """Always as how many times as fast the faster one is, never as a fraction."""
    assert said()[3].endswith("A 2 s, B 1 s.  B: 2 times as fast.")
    assert said(speed_ratio=0.5)[3].endswith("B: 2 times as slow.")


def test_a_difference_that_repeating_causes_is_none() -> None:
    """Neither is called faster."""
    assert said(is_beyond_noise=False, speed_ratio=1.02)[3].endswith("  B: same (noise ±3%).")
    assert said(is_beyond_noise=False, noise_ratio=0.46, speed_ratio=1.25)[3].endswith(
        "B: 25% faster, may be chance (noise ±46%)."
    )
    assert said(is_beyond_noise=False, noise_ratio=1.59)[3].endswith(
        "  B: perhaps 2 times as fast, too noisy to tell (noise very uneven)."
    )
    assert said(is_beyond_noise=False, noise_ratio=1.59, speed_ratio=1.4)[3].endswith(
        " too noisy to tell (noise very uneven)."
    )


def test_a_side_that_others_disturbed_says_so() -> None:
    """Of one computer measured twice while others had 92 % of it, "B is 2 times as fast" was all that was said."""
    first = enough()
    compared = Comparison(cases=(), only_first=(), only_second=(), first_taken_ratio=0.92)
    lines = comparison_text(first, first, compared, EN).splitlines()
    assert lines[0].endswith(" · other programs used 92% of the processor on average during the check")
    assert "others" not in lines[1]


def test_a_test_that_others_disturbed_tells_no_difference() -> None:
    """It was "3.5 times as slow", of a job beside which other programs used 28 % of the processor."""
    assert said(second_taken_ratio=0.28)[3].endswith("  B: disturbed in B.")
    assert said(first_taken_ratio=0.1, second_taken_ratio=0.28)[3].endswith("  B: disturbed in both.")


def test_each_side_and_what_it_alone_has() -> None:
    """The second one is told by its own date, with the time: two checks of one day looked alike."""
    lines = said()
    assert lines[0].startswith("A: ")
    assert lines[1].startswith("B: ")
    assert "(Dec 24, 2026, 12:00 PM, torch " in lines[1].replace("\N{NARROW NO-BREAK SPACE}", " ")
    assert lines[-2:] == ["Only A has measured: x", "Only B has measured: y, z"]
