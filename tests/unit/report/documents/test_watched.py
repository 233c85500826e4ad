"""What was seen of a watched script, in words."""

from typing import Any

import pytest

from advisor.locale import language
from advisor.records.results.measured.watched import Remedy, WatchedJob, WatchedScript, WatchedStep
from advisor.report.documents.watched import watched_text


def text(lang: str = "en", **facts: Any) -> str:
    """Return the words for a script with these facts."""
    return watched_text(WatchedJob(script=WatchedScript(ended="itself", watched_s=3.0, **facts)), language(lang))


def test_a_script_that_failed_is_said_first_and_gets_no_advice_on_speed() -> None:
    """Its exit status, or the signal that ended it."""
    failed = text(status=1)
    assert failed.startswith("Its end")
    assert "failed, with exit status 1" in failed
    assert "What would help" not in failed
    assert "signal 9" in text(status=-9)
    assert "Its end" not in text(status=0)


@pytest.mark.parametrize(("lang", "words"), [("en", "num_workers"), ("es", "num_workers")])
def test_a_remedy_comes_with_its_gain(lang: str, words: str) -> None:
    """In both languages."""
    step = WatchedStep(steps=30, step_s=0.1, wait_s=0.05)
    found = text(lang, step=step, remedy=Remedy(cause="few_loaders", gain_ratio=2.0))
    assert words in found
    assert "2" in found.splitlines()[-1]


def test_what_was_not_seen_is_said() -> None:
    """An epoch that never ended leaves out what comes after it; one that did is whole."""
    step = WatchedStep(steps=30, step_s=1.0, exchange_s=0.25)
    known: dict[str, Any] = {"step": step, "steps_per_epoch": 10.0, "epochs": 3.0, "memory_bytes": 10**9}
    assert "which was not seen" in text(**known)
    assert "gradients 250 ms" in text(**known)
    whole = text(**known, between_s=10.0)
    assert "1 minute" in whole
    assert "not seen" not in whole
    at_once = text(**known, between_s=0.0)
    assert "Between two epochs" not in at_once
    assert "not seen" not in at_once


def test_what_nothing_but_trying_shows_gets_no_gain() -> None:
    """A mode for debugging is named without a number, a long validation with what the run would gain."""
    step = WatchedStep(steps=30, step_s=0.1)
    assert "times as fast" not in text(step=step, remedy=Remedy(cause="anomaly_mode", gain_ratio=1.0))
    assert "The whole run would be about 3 times" in text(
        step=step, remedy=Remedy(cause="long_validation", gain_ratio=3)
    )


@pytest.mark.parametrize(
    ("reason", "mend"), [("options", "Leave these options out"), ("path", ":$PYTHONPATH"), ("environment", "itself")]
)
def test_why_no_step_was_seen_comes_with_how_to_mend_it(reason: str, mend: str) -> None:
    """Beside whatever was seen of it from outside."""
    for rhythm_s in (None, 0.5):
        [line] = [
            one for one in text(unseen=reason, rhythm_s=rhythm_s).splitlines() if one.startswith("Why no step was seen")
        ]
        assert mend in line
    assert "Why no step" not in text()
