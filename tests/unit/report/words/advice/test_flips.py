"""What would change the answer, in sentences."""

import msgspec
import pytest

from advisor.locale import Language, language
from advisor.records.base import Interval
from advisor.records.job.advice import Flip
from advisor.records.job.workload import Circumstances
from advisor.report.words import quantities
from advisor.report.words.advice import flips
from advisor.units import DAY_S, HOUR_S
from tests.unit.report import samples

EN, ES = language("en"), language("es")
REPORT = samples.rent()


@pytest.mark.parametrize(
    ("flip", "expected"),
    [
        (
            Flip(fact="deadline_s", now=DAY_S, then=2 * DAY_S, tier="this_computer"),
            "If a run may take 2 days: this computer is enough.",
        ),
        (
            Flip(fact="deadline_s", now=DAY_S, then=HOUR_S, tier="cluster"),
            "If a run must certainly end in less than 1 hour: you need a cluster.",
        ),
        (
            Flip(fact="deadline_s", now=None, then=HOUR_S, tier="cloud"),
            "If a run must certainly end in less than 1 hour: rent in the cloud.",
        ),
        (
            Flip(fact="runs_per_month", now=4.0, then=91.3, tier="single_gpu"),
            "From 91 runs a month on: buy a graphics card.",
        ),
        (
            Flip(fact="runs_per_month", now=20.0, then=5.4, tier="cloud"),
            "With fewer than 5.4 runs a month: rent in the cloud.",
        ),
        (
            Flip(fact="runs_per_month", now=4.0, then=0.5, tier="cloud"),
            "With less than one run in 2 months: rent in the cloud.",
        ),
        (
            Flip(fact="budget_usd", now=300.0, then=400.0, tier="single_gpu"),
            "With a budget of $400: buy a graphics card.",
        ),
        (
            Flip(fact="budget_usd", now=None, then=400.0, tier="cloud"),
            "With less than $400 to spend: rent in the cloud.",
        ),
        (
            Flip(fact="data_must_stay", now=False, then=True, tier="single_gpu"),
            "If your data must not leave: buy a graphics card.",
        ),
        (
            Flip(fact="data_must_stay", now=True, then=False, tier="cloud"),
            "If your data may leave: rent in the cloud.",
        ),
        (
            Flip(fact="batch_size", now=32, then=8, tier="this_computer"),
            "With batches of 8 instead of 32: this computer is enough.",
        ),
    ],
)
def test_what_would_change_the_answer_is_a_sentence(flip: Flip, expected: str) -> None:
    """Condition and answer, in either direction."""
    assert flips.flip_sentence(flip, REPORT, EN) == expected


def test_a_flip_names_its_option_where_there_is_one() -> None:
    """Not some card, this one."""
    [flip] = [one for one in REPORT.advice.flips if one.fact == "data_must_stay"]
    assert flips.flip_sentence(flip, REPORT, EN) == "If your data must not leave: buy GeForce RTX 5060 Ti 16 GB."


def test_only_what_ends_in_time_at_worst_is_called_sure() -> None:
    """A card that "must certainly end within 5 hours" had itself a range up to 14 hours."""
    option = next(one for one in REPORT.advice.options if one.offer is not None and one.interval is not None)
    assert option.interval is not None
    worst_s = option.interval.high + option.before_s + option.after_s
    for then_s, begin in (
        (worst_s, "If a run must certainly end"),
        (0.9 * worst_s, "If a run, its data loaded well, must certainly end"),
        (0.1 * worst_s, "If you want a run to end"),
    ):
        flip = Flip(fact="deadline_s", now=30 * DAY_S, then=then_s, tier="cloud", option=option.id)
        said = flips.flip_sentence(flip, REPORT, EN)
        assert said.startswith(begin), said


@pytest.mark.parametrize(("spoken", "said"), [(EN, "in less than {time}: rent"), (ES, "en menos de {time}, conviene")])
def test_the_end_of_the_answer_s_own_range_is_in_time(spoken: Language, said: str) -> None:
    """It said "within 15 hours: rent" beside an answer that takes 30 minutes to 15 hours."""
    report = samples.slowed(0.9, 0.9)
    own = next(one for one in report.advice.options if one.id == report.advice.chosen)
    [flip] = [one for one in report.advice.flips if one.fact == "deadline_s"]
    assert own.interval is not None
    assert flip.then == own.interval.high
    time = quantities.duration(own.interval.high, spoken)
    assert said.format(time=time) in flips.flip_sentence(flip, report, spoken)


@pytest.mark.parametrize(("deadline_s", "time"), [(None, "8 hours"), (6 * HOUR_S, "6 hours")])
def test_what_may_itself_end_later_is_not_certain(deadline_s: float | None, time: str) -> None:
    """It said "must certainly end in less than 3½ hours: rent" beside an answer that takes up to 4."""
    report = samples.slowed(0.6, 0.6, Circumstances(deadline_s=deadline_s))
    own = next(one for one in report.advice.options if one.id == report.advice.chosen)
    [flip] = [one for one in report.advice.flips if one.fact == "deadline_s"]
    assert own.interval is not None
    assert flip.then == min(own.interval.high, deadline_s or own.interval.high)
    assert f"must certainly end in less than {time}: rent" in flips.flip_sentence(flip, report, EN)


def test_a_default_deadline_gives_the_direction() -> None:
    """Where nobody asked for a deadline, the default among the facts is what a flip is compared with."""
    report = samples.classical()
    later = Flip(fact="deadline_s", now=None, then=90 * DAY_S, tier="this_computer")
    assert flips.flip_sentence(later, report, EN).startswith("If a run may take")


def test_each_fact_that_can_flip_the_answer_has_words() -> None:
    """What would change the answer can be said."""
    assert {"deadline_s", "runs_per_month", "budget_usd", "data_must_stay", "batch_size"} == {
        key.split("/")[0] for key in flips._FLIPS
    }


def test_the_end_of_the_range_is_told_as_the_answer_tells_it() -> None:
    """“Must certainly end in less than 2½ hours” stood under a range of up to 3: its end reads like the best guess."""
    report = samples.enough()
    [chosen] = [one for one in report.advice.options if one.id == report.advice.chosen]
    close = msgspec.structs.replace(chosen, run_s=2.5 * HOUR_S, interval=Interval(low=HOUR_S, high=2.6 * HOUR_S))
    options = tuple(close if one is chosen else one for one in report.advice.options)
    report = msgspec.structs.replace(report, advice=msgspec.structs.replace(report.advice, options=options))
    flip = Flip(fact="deadline_s", now=None, then=2.6 * HOUR_S, tier="cloud")
    assert "must certainly end in less than 3 hours" in flips.flip_sentence(flip, report, EN)
    assert quantities.range_around(2.5 * HOUR_S, HOUR_S, 2.6 * HOUR_S, EN).endswith("3 hours")
