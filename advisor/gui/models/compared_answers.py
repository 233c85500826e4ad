"""What two earlier checks answered, which is what whoever compares them wants to know first."""

import math
from typing import NamedTuple

from advisor.gui.models.history import answer_text, entry_line, job_text, with_check
from advisor.locale import Language
from advisor.records.results.history_entry import Entry, Summary
from advisor.records.results.measured.measurement import DISTURBED_RATIO
from advisor.report.words import quantities


class _Time(NamedTuple):
    """How long a run takes on the computer that was checked, with the ends of its range."""

    run_s: float
    low_s: float
    high_s: float


def line_with_answer(entry: Entry, language: Language) -> str:
    """Return an earlier check in one line, with what was asked and what it answered."""
    one = entry.summary
    said = () if one is None else (job_text(one, language), _answer(entry, one, language))
    return " · ".join(filter(None, (entry_line(entry, language), *said)))


def _answer(entry: Entry, one: Summary, language: Language) -> str:
    """Return the time on the computer itself with its range; of another answer which it is."""
    time = _time_here(one)
    if time is None:
        return answer_text(one, language, is_elsewhere=entry.origin == "imported")
    return with_check(one, quantities.about_with_range(*time, language), language)


def answers_sentence(first: Entry, second: Entry, language: Language) -> str:
    """Return how the times of two answers stand to each other; empty where they answer different questions."""
    if first.summary is None or second.summary is None or _asked(first.summary) != _asked(second.summary):
        return ""
    one, other = _time_here(first.summary), _time_here(second.summary)
    if one is None or other is None:
        return ""
    _ = language.gettext
    said = [quantities.about(time.run_s, language) for time in (one, other)]
    if said[0] == said[1]:
        if max(first.summary.taken_ratio, second.summary.taken_ratio) >= DISTURBED_RATIO:
            return ""  # the time of a disturbed one is that of a quiet one before it: no second finding
        return _("Both say {duration}.").format(duration=said[0])
    return _("A says {first}, B {second}.").format(first=said[0], second=said[1])


def _asked(one: Summary) -> tuple[str, str, int, str]:
    return one.job, one.workload, one.samples, one.sample_kind


def _time_here(one: Summary) -> _Time | None:
    """Return the time of an answer that is the computer itself, where the time and its range are known."""
    if one.tier != "this_computer" or not one.run_s or not one.low_s or not one.high_s:
        return None
    return _Time(one.run_s, one.low_s, one.high_s) if 0 < one.low_s <= one.run_s <= one.high_s < math.inf else None
