"""Five faults are named first, each with its gain, and none in a clean run."""

import msgspec
import pytest

from advisor.records.results.measured.watched import WatchedScript, WatchedStep
from advisor.watch.remedies import first_remedy

CLEAN = WatchedScript(
    ended="enough",
    watched_s=20.0,
    step=WatchedStep(steps=30, step_s=0.1, wait_s=0.002, optimizer_s=0.01),
    processor_ratio=0.5,
    others_ratio=0.03,
    torch="2.13.0+cpu",
    threads=2,
    loaders=2,
)


def waiting(wait_s: float, busy_ratio: float) -> WatchedStep:
    """Return a step of 0.1 s that waits for its data."""
    return WatchedStep(steps=30, step_s=0.1, wait_s=wait_s, wait_busy_ratio=busy_ratio)


def test_a_clean_run_needs_nothing() -> None:
    """Neither do a card that is in use and a format that is little faster."""
    assert first_remedy(CLEAN, cores=4) is None
    on_card = msgspec.structs.replace(CLEAN, device="cuda:0", builds=("cuda",))
    assert first_remedy(on_card, cores=4, card_gain=1.0, short_format_gain=1.2) is None
    assert first_remedy(CLEAN, cores=4, full_format_gain=1.5) is None, "specifications may be off by as much"


@pytest.mark.parametrize(
    ("changes", "gains", "cause", "gain"),
    [
        ({"step": waiting(0.06, 0.95), "loaders": 0}, {}, "no_loaders", 2.5),
        ({"step": waiting(0.06, 0.1), "loaders": 0}, {}, "slow_disk", 2.5),
        ({"step": waiting(0.06, 0.0), "processor_ratio": 0.2}, {}, "slow_disk", 2.5),
        ({"step": waiting(0.09, 0.95), "loaders": 0}, {}, "no_loaders", 40 / 11),  # 90 ms, and 10 ms of two
        ({}, {"card_gain": 20.0}, "processor_torch", 20.0),
        ({"device": "cuda:0", "builds": ("cuda",)}, {"short_format_gain": 2.2}, "long_format", 2.2),
        ({}, {"double_format_gain": 1.9}, "double_format", 1.9),
        ({}, {"full_format_gain": 7.0}, "emulated_format", 7.0),
        ({"steps_per_epoch": 10.0, "between_s": 4.0}, {}, "long_validation", 5 / 1.8),  # 1 s of steps, 0.8 s are left
        ({"has_anomaly_mode": True, "loaders": 0, "step": waiting(0.06, 0.95)}, {}, "anomaly_mode", 1.0),
        ({"swapped_bytes": 2 * 10**8, "memory_bytes": 10**9}, {}, "swapping", 1.0),
        ({"processor_ratio": 0.5, "others_ratio": 0.5, "threads": 4}, {}, "busy_program", 2.0),
    ],
)
def test_a_fault_is_named_with_its_gain(
    changes: dict[str, object], gains: dict[str, float], cause: str, gain: float
) -> None:
    """The gain is what remains of a step without it."""
    found = first_remedy(msgspec.structs.replace(CLEAN, **changes), cores=4, **gains)
    assert found is not None
    assert found.cause == cause
    assert found.gain_ratio == pytest.approx(gain)


def test_what_sleeps_in_swap_and_a_short_validation_hold_nothing_back() -> None:
    """Little of the memory was read back, and a third of an epoch is validation."""
    quiet = msgspec.structs.replace(CLEAN, swapped_bytes=10**6, memory_bytes=10**9, steps_per_epoch=10.0, between_s=0.4)
    assert first_remedy(quiet, cores=4) is None


def test_a_program_that_unpacks_what_its_loaders_made_waits_for_no_disk() -> None:
    """Tensors of processes that were started anew are taken over one by one; the processes rest meanwhile."""
    own = msgspec.structs.replace(CLEAN, step=waiting(0.03, 0.74), loaders_busy_ratio=0.05)
    assert first_remedy(own, cores=8) is None


def test_one_hiccup_of_the_system_is_no_slow_disk() -> None:
    """Thirty steps of a millisecond, one of which met a page of 50 ms, tell nothing of the disk."""
    step = WatchedStep(steps=30, step_s=0.003, wait_s=0.0017, wait_busy_ratio=0.02)
    assert first_remedy(msgspec.structs.replace(CLEAN, step=step, loaders=0), cores=8) is None


def test_others_that_leave_room_disturb_nobody() -> None:
    """A script of one thread has its core on a computer of four."""
    beside = msgspec.structs.replace(CLEAN, processor_ratio=0.25, others_ratio=0.3, threads=1)
    assert first_remedy(beside, cores=4) is None


def test_a_program_of_unknown_threads_is_promised_one_core() -> None:
    """Of two, of which others took most: it used a fifth of one, and might have had that one."""
    beside = msgspec.structs.replace(CLEAN, processor_ratio=0.1, others_ratio=0.89, threads=None)
    found = first_remedy(beside, cores=2)
    assert found is not None
    assert (found.cause, found.gain_ratio) == ("busy_program", pytest.approx(5.0))
    busy = first_remedy(msgspec.structs.replace(beside, processor_ratio=0.6, others_ratio=0.4), cores=2)
    assert busy is not None
    assert busy.gain_ratio == pytest.approx(1 / 0.6)


def test_the_largest_gain_comes_first() -> None:
    """Whatever else is found."""
    both = msgspec.structs.replace(CLEAN, step=waiting(0.06, 0.95), loaders=0)
    found = first_remedy(both, cores=4, card_gain=20.0)
    assert found is not None
    assert found.cause == "processor_torch"


def test_too_few_loaders_are_told_from_a_slow_disk() -> None:
    """By what the loader's own processes do; with as many as there are cores more of them help nobody."""
    waits = msgspec.structs.replace(CLEAN, step=waiting(0.06, 0.0), loaders=1, processor_ratio=0.2)
    few = first_remedy(msgspec.structs.replace(waits, loaders_busy_ratio=0.9), cores=4)
    assert few is not None
    assert (few.cause, few.gain_ratio) == ("few_loaders", pytest.approx(100 / 42.5))  # 90 ms, and 40 of two threads
    slow = first_remedy(msgspec.structs.replace(waits, loaders_busy_ratio=0.1, processor_ratio=0.9), cores=4)
    assert slow is not None
    assert slow.cause == "slow_disk"
    many = msgspec.structs.replace(waits, loaders=4, loaders_busy_ratio=1.0)
    assert first_remedy(many, cores=4) is None


def test_two_cores_load_twice_as_fast_as_one() -> None:
    """Seen on two cores: 600 photos in 23.7 s without loaders, 23.3 s with one, 13.6 s with two."""
    photos = WatchedStep(steps=30, step_s=0.516, wait_s=0.508, wait_busy_ratio=0.97)
    script = msgspec.structs.replace(CLEAN, step=photos, loaders=0)
    found = first_remedy(script, cores=2)
    assert found is not None
    assert (found.cause, found.gain_ratio) == ("no_loaders", pytest.approx(1.97, abs=0.01))
    one = msgspec.structs.replace(script, loaders=1, loaders_busy_ratio=0.97)
    one = msgspec.structs.replace(one, step=msgspec.structs.replace(photos, wait_busy_ratio=0.02))
    few = first_remedy(one, cores=2)
    assert few is not None
    assert few.cause == "few_loaders"


def test_a_script_without_a_step_has_nothing_to_speed_up() -> None:
    """However busy others are: it failed, or did something else."""
    failed = msgspec.structs.replace(CLEAN, step=None, status=1, processor_ratio=0.1, others_ratio=0.9)
    assert first_remedy(failed, cores=4) is None
    assert first_remedy(msgspec.structs.replace(failed, rhythm_s=1.0), cores=4) is not None
