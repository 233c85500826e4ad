"""What holds a watched script back, and how much faster it would be without."""

from collections.abc import Iterator

from advisor.records.results.measured.watched import Cause, Remedy, WatchedScript

WORTH_RATIO = 1.1
WAITS_RATIO = 0.15
"""A step that waits for less of its time is not held back by its data."""
_WORKS = 0.5
"""A thread or loader process that works for less of the time waits for the disk."""
_HICCUP_S = 0.25
"""A disk that was waited for less in all the steps seen is one hiccup of the system, in steps of a millisecond."""
_OTHERS = 0.15
_FULL = 0.9
"""Where less of the processor is used by all, nobody waits for another."""
_SHORT_PAYS = 1.3
_FULL_PAYS = 2.0
"""A step in fp32 is predicted from specifications then, which may be off by nearly as much."""
_SELDOM = 5.0
"""How many times more seldom a validation that holds a run up could be done."""
_BETWEEN = 0.5
_SWAPPED = 0.1
"""Of the memory that the script holds; less is what slept in other programs."""


def first_remedy(
    script: WatchedScript,
    *,
    cores: float,
    card_gain: float | None = None,
    short_format_gain: float | None = None,
    double_format_gain: float | None = None,
    full_format_gain: float | None = None,
) -> Remedy | None:
    """Return the remedy with the largest gain; None where nothing is worth a change.

    What spoils every other number comes before them: a mode for debugging, and memory that is full.

    Args:
        script: What was seen.
        cores: That the script may use.
        card_gain: How many times as fast a card in this computer is predicted to be.
        short_format_gain: How many times as fast a shorter numeric format is predicted to be; None where it uses one.
        double_format_gain: How many times as fast fp32 is predicted to be; None where fp64 is not used.
        full_format_gain: How many times as fast fp32 is predicted to be on a processor that computes the shorter format
            in software; None where it does not, or none is used.
    """
    if script.has_anomaly_mode:
        return Remedy(cause="anomaly_mode", gain_ratio=1.0)
    if script.swapped_bytes > _SWAPPED * script.memory_bytes > 0:
        return Remedy(cause="swapping", gain_ratio=1.0)
    found = [*_of_loading(script, cores)]
    if card_gain is not None and script.device == "cpu" and script.torch and not script.builds:
        found.append(Remedy(cause="processor_torch", gain_ratio=max(1.0, card_gain)))
    if short_format_gain is not None and short_format_gain >= _SHORT_PAYS:
        found.append(Remedy(cause="long_format", gain_ratio=short_format_gain))
    if full_format_gain is not None and full_format_gain >= _FULL_PAYS:
        found.append(Remedy(cause="emulated_format", gain_ratio=full_format_gain))
    found += _of_run(script, double_format_gain)
    used, others = script.processor_ratio, script.others_ratio
    wanted = min(1.0, (script.threads or _seen_threads(used, cores)) / cores)
    paced = script.step is not None or script.rhythm_s is not None
    if paced and others >= _OTHERS and used + others >= _FULL and used > 0:
        found.append(Remedy(cause="busy_program", gain_ratio=max(1.0, min(wanted, used + others) / used)))
    best = max(found, key=lambda one: one.gain_ratio, default=None)
    return best if best is not None and best.gain_ratio >= WORTH_RATIO else None


def _seen_threads(used: float, cores: float) -> float:
    """Return how many threads a program surely has that uses so much of the processor: one, or as many as cores."""
    return 1.0 if used * cores <= 1.0 else cores


def _of_run(script: WatchedScript, double_format_gain: float | None) -> Iterator[Remedy]:
    step, steps, between_s = script.step, script.steps_per_epoch, script.between_s
    if double_format_gain is not None:
        yield Remedy(cause="double_format", gain_ratio=max(1.0, double_format_gain))
    if step is not None and steps is not None and between_s is not None:
        epoch_s = step.step_s * steps
        if between_s >= _BETWEEN * epoch_s:
            whole_s = epoch_s + between_s
            yield Remedy(cause="long_validation", gain_ratio=whole_s / (epoch_s + between_s / _SELDOM))


def _of_loading(script: WatchedScript, cores: float) -> Iterator[Remedy]:
    step = script.step
    if step is None or step.wait_s < WAITS_RATIO * step.step_s or script.loaders is None:
        return
    rest_s = step.step_s - step.wait_s
    if script.loaders == 0:
        busy, work_s = step.wait_busy_ratio, step.wait_s
    elif step.wait_busy_ratio >= _WORKS:
        return  # the program itself works while it waits: it takes over what the processes have made
    elif script.loaders_busy_ratio is not None:
        busy, work_s = script.loaders_busy_ratio, step.step_s * script.loaders * script.loaders_busy_ratio
    elif script.processor_ratio < _WORKS:
        busy = work_s = 0.0
    else:
        return
    if busy < _WORKS and step.wait_s * step.steps < _HICCUP_S:
        return
    if busy < _WORKS:
        yield Remedy(cause="slow_disk", gain_ratio=step.step_s / max(rest_s, 1e-9))
    elif cores > 1:
        # Loaders work beside the step, on whatever cores it leaves: together they need what they need now.
        own_cores = min(script.threads or cores, cores) if script.device == "cpu" else 1.0
        beside_s = max(rest_s, (work_s + own_cores * rest_s) / cores, 1e-9)
        cause: Cause = "no_loaders" if script.loaders == 0 else "few_loaders"
        yield Remedy(cause=cause, gain_ratio=max(1.0, step.step_s / beside_s))
