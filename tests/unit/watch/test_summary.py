"""From what was told inside to the median step."""

import msgspec
import pytest

from advisor.records.results.measured.watched import WatchedStep
from advisor.watch.channel import CallsSeen, EpochSeen, Event, LoaderSeen, ProgramSeen, Seen, StepSeen
from advisor.watch.program import Watched
from advisor.watch.summary import (
    precision_of,
    samples_per_epoch,
    samples_per_step,
    summarised,
    validation_samples,
)

PROGRAM = ProgramSeen(torch="2.13.0", python="3.11", optimizer="SGD", dtype="float32", epochs=3.0)


def seen(times_s: list[float], *, wait_s: float = 0.0, batches: int = 1, recorded: int | None = None) -> Seen:
    """Return what a loop tells whose steps take these times."""
    events: list[Event] = [LoaderSeen(loader=0, step=0, batch_size=16, workers=0, samples=1600, batches=100), PROGRAM]
    at_s = 50.0
    for number, time_s in enumerate(times_s):
        at_s += time_s
        events.append(StepSeen(at_s=at_s, optimizer_s=0.01, wait_s=wait_s, wait_cpu_s=wait_s / 2, batches=batches,
                               recorded=number == recorded))  # fmt: skip
    return Seen(events=tuple(events))


def step_of(one: Seen) -> WatchedStep | None:
    """Return the step that is made of what was seen."""
    return summarised(Watched(one, "enough", None, 1.0, 0, (0.5, 0.0), None)).step


def test_warm_up_and_the_recorded_step_do_not_count() -> None:
    """The step after the recorded one is no plain step either."""
    step = step_of(seen([9, 5, 3, 9, 9, 20, 8, 1, 1, 1], recorded=5))
    assert step is not None
    assert (step.steps, step.step_s, step.optimizer_s) == (3, 1.0, 0.01)


def test_a_few_steps_are_better_than_none() -> None:
    """A script whose steps take a minute has three of them."""
    assert step_of(seen([60, 50])) == WatchedStep(steps=1, step_s=50.0, optimizer_s=0.01)
    assert step_of(seen([60])) is None


def test_waiting_is_a_mean_because_loaders_hand_out_several_at_once() -> None:
    """Half of it the thread worked."""
    step = step_of(seen([1.0] * 12, wait_s=0.5))
    assert step is not None
    assert (step.wait_s, step.wait_busy_ratio) == (pytest.approx(0.5), pytest.approx(0.5))


def test_accumulated_batches_are_one_step() -> None:
    """Four batches of 16 are a step of 64, and an epoch has a quarter of the steps."""
    found = seen([1.0] * 8, batches=4)
    script = summarised(Watched(found, "enough", None, 1.0, 0, (0.5, 0.0), None))
    assert samples_per_step(found) == 64
    assert script.steps_per_epoch == 25
    assert script.run_s == pytest.approx(75.0)


@pytest.mark.parametrize(("samples", "of_all"), [(1600, 1600), (100, 1600)], ids=["drawn by others", "in batches"])
def test_a_loader_that_knows_no_batch_hands_out_rows(samples: int, of_all: int) -> None:
    """Accelerate's and the Trainer's loaders have none, as the batches are drawn for them; nor have ready batches."""
    found = seen([1.0] * 8, batches=4)
    loader, *rest = found.events
    assert isinstance(loader, LoaderSeen)
    nameless = msgspec.structs.replace(loader, batch_size=None, samples=samples)
    found = Seen(events=(nameless, *rest, CallsSeen(rows=16)))
    assert samples_per_step(found) == 64
    assert samples_per_epoch(found) == of_all


def test_validation_belongs_to_the_run_and_to_no_step() -> None:
    """Epochs of five steps of a second, each with seven seconds of validation: 12 s three times."""
    times_s = [1.0] * 16
    times_s[5] = times_s[10] = times_s[15] = 8.0
    loader, program, *steps = seen(times_s).events
    assert isinstance(loader, LoaderSeen)
    other = LoaderSeen(loader=1, step=5, batch_size=50, workers=0, samples=3000, batches=60)
    events: list[Event] = [msgspec.structs.replace(loader, samples=80, batches=5), program]
    for number, step in enumerate(steps):
        if number in (5, 10, 15):
            events += [other if number == 5 else EpochSeen(loader=1, step=number), EpochSeen(loader=0, step=number)]
        events.append(step)
    found = Seen(events=tuple(events))
    script = summarised(Watched(found, "enough", None, 1.0, 0, (0.5, 0.0), None))
    assert script.step is not None
    assert (script.step.step_s, script.between_s) == (1.0, pytest.approx(7.0))
    assert script.run_s == pytest.approx(36.0)
    assert validation_samples(found) == 3000


def test_a_second_loader_that_steps_draw_from_is_no_validation() -> None:
    """It begins anew at every step, as where one batch is taken from it each time."""
    loader, program, *steps = seen([1.0] * 12).events
    events: list[Event] = [loader, program]
    for number, step in enumerate(steps):
        events += [EpochSeen(loader=1, step=number), step]
    script = summarised(Watched(Seen(events=tuple(events)), "enough", None, 1.0, 0, (0.5, 0.0), None))
    assert script.step is not None
    assert (script.step.steps, script.between_s) == (10, None)


@pytest.mark.parametrize(
    ("named", "rows", "batch"), [(32, 2048, 32), (None, 100, 100), (7, 100, 100), (None, None, None)]
)
def test_without_a_loader_the_rows_are_the_batch(named: int | None, rows: int | None, batch: int | None) -> None:
    """Where a name tells the batch, they may be the tokens of its sequences."""
    program = msgspec.structs.replace(PROGRAM, batch_size=named)
    assert samples_per_step(Seen(events=(program, CallsSeen(rows=rows)))) == batch


@pytest.mark.parametrize(
    ("parameters", "products", "precision"),
    [
        ("float32", "float32", "fp32"),
        ("float32", "bfloat16", "amp"),
        ("bfloat16", "bfloat16", "bf16"),
        ("float16", "", "fp16"),
        ("float64", "float64", "fp64"),
    ],
)
def test_a_format_is_mixed_where_products_are_shorter_than_parameters(
    parameters: str, products: str, precision: str
) -> None:
    """Without products the parameters' own."""
    program = msgspec.structs.replace(PROGRAM, dtype=parameters)
    assert precision_of(Seen(events=(program, CallsSeen(dtype=products)))) == precision
    assert precision_of(Seen(events=(PROGRAM,))) == "fp32"


def test_a_loader_that_begins_again_within_an_epoch_ends_none() -> None:
    """One epoch of 10 steps ends, with five seconds beside them; three steps later the loader begins anew."""
    events: list[Event] = [LoaderSeen(loader=0, step=0, batch_size=16, workers=0, samples=160, batches=10), PROGRAM]
    for number in range(1, 17):
        paused_s = 5.0 * (number > 10)
        events.append(StepSeen(at_s=number + paused_s, optimizer_s=0.01, wait_s=0, wait_cpu_s=0, batches=1))
        if number in (10, 13):
            events.append(EpochSeen(loader=0, step=number))
    script = summarised(Watched(Seen(events=tuple(events)), "enough", None, 1.0, 0, (0.5, 0.0), None))
    assert script.between_s == pytest.approx(5.0)
