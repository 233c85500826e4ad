"""The tests of a check as a list that is there from its beginning: what each tells, and how it stands."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from advisor.locale import N_, Language
from advisor.records.job.asked_job import FED_PROGRAM, JOB_PROGRAM
from advisor.records.results.measured.measurement import Case, CaseFailure, Measurement, is_slowed
from advisor.report.provenance.record import Provenance

TestState = Literal["waiting", "running", "done", "disturbed", "without"]

_JOB = N_("How fast your job runs on this computer")
_ARITHMETIC = N_("How fast this computer calculates")
_TRAINING = N_("How fast it trains a network that other computers were measured with too")
_ANSWERING = N_("How fast a trained network answers")
_MOVING = N_("How fast data move inside this computer")
_READING = N_("How fast data are read and made ready for training")
_HOLDING = N_("Whether it keeps its speed over a longer time")
_PURPOSES: dict[str, str] = {
    JOB_PROGRAM: _JOB,
    FED_PROGRAM: _JOB,
    "train": _TRAINING,
    "sweep": _TRAINING,
    "profile": _TRAINING,
    "kept_memory": _TRAINING,
    "xla_train": _TRAINING,
    "infer": _ANSWERING,
    "decode": _ANSWERING,
    "bandwidth": _MOVING,
    "transfer": _MOVING,
    "launch": _MOVING,
    "input": _READING,
    "data": _READING,
    "disk": _READING,
    "sustained": _HOLDING,
}
"""What a program's tests tell the user; those of all others tell how fast the computer calculates."""
_IN_EVERY_PLAN = (_ARITHMETIC, _TRAINING)


@dataclass(frozen=True, kw_only=True)
class PlannedTest:
    """One test in words.

    Attributes:
        purpose: What it tells the user; empty where the test before it tells the same.
        title: What it is; empty while nobody knows yet which tests there will be.
        result: Its result, or how it stands, or why it has none.
        origin: Where the numbers of the result come from; None before there are any.
        remark: What disturbed it; empty where nothing did.
    """

    purpose: str
    title: str
    state: TestState
    result: str
    origin: Provenance | None = None
    remark: str = ""


def planned_tests(
    cases: Sequence[Case], ends: Mapping[str, Measurement | CaseFailure], running: str, language: Language
) -> tuple[PlannedTest, ...]:
    """Return every planned test with how it stands, those that tell the same together, in the order of their first.

    Args:
        cases: The plan; empty while there is none yet.
        ends: Those that ended, by id.
        running: Id of the one that runs; empty while none does.
        language: Of the words.
    """
    _ = language.gettext
    if not cases:
        waiting = _("waiting")
        return tuple(PlannedTest(purpose=_(one), title="", state="waiting", result=waiting) for one in _IN_EVERY_PLAN)
    cases = together(cases)
    purposes = [_(_purpose(case)) for case in cases]
    before = ["", *purposes]
    return tuple(
        _planned(case, "" if purpose == last else purpose, ends.get(case.id), language, is_running=case.id == running)
        for case, purpose, last in zip(cases, purposes, before, strict=False)
    )


def together(cases: Sequence[Case]) -> list[Case]:
    """Return cases with those side by side that tell the same, in the order of their first; so every page has them."""
    first: dict[str, int] = {}
    for case in cases:
        first.setdefault(_purpose(case), len(first))
    return sorted(cases, key=lambda case: first[_purpose(case)])


def _purpose(case: Case) -> str:
    return _PURPOSES.get(case.program, _ARITHMETIC)


def _planned(
    case: Case, purpose: str, end: Measurement | CaseFailure | None, language: Language, *, is_running: bool
) -> PlannedTest:
    from advisor.report.provenance.measurements import of_failure, of_measurement
    from advisor.report.words.cases import case_title, said_disturbed
    from advisor.report.words.problems import disturbers_sentence

    _ = language.gettext
    if end is None or is_running:  # a job may be measured once more
        state: TestState = "running" if is_running else "waiting"
        result = _("running") if is_running else _("waiting")
        return PlannedTest(purpose=purpose, title=case_title(case, language), state=state, result=result)
    if isinstance(end, CaseFailure):
        origin = of_failure(end, "", language)
        return PlannedTest(purpose=purpose, title=origin.title, state="without", result=origin.value, origin=origin)
    origin = of_measurement(end, "", language)
    return PlannedTest(
        purpose=purpose,
        title=origin.title,
        state="disturbed" if is_slowed(end) else "done",
        result=said_disturbed(origin.value, end, language),
        origin=origin,
        remark=disturbers_sentence(end, language),
    )


def disturbed_count_sentence(ends: Sequence[Measurement | CaseFailure], language: Language) -> str:
    """Return how many tests were disturbed; empty: none."""
    count = sum(isinstance(end, Measurement) and is_slowed(end) for end in ends)
    text = language.ngettext(
        "{n} test was disturbed (⚠): its result tells you less about this computer.",
        "{n} tests were disturbed (⚠): their results tell you less about this computer.",
        count,
    )
    return text.format(n=language.number(count)) if count else ""


def left_out_sentence(ends: Sequence[Measurement | CaseFailure], language: Language) -> str:
    """Return how many tests have no time; empty: all have."""
    count = sum(isinstance(end, CaseFailure) and end.reason == "no_time" for end in ends)
    text = language.ngettext(
        "{n} test left out: it would not fit into the time of this check.",
        "{n} tests left out: they would not fit into the time of this check.",
        count,
    )
    return text.format(n=language.number(count)) if count else ""
