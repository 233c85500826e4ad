"""What holds a watched script back, and how much faster it would be without."""

from collections.abc import Iterator

from advisor.records.results.watched import Remedy, WatchedScript

WORTH_RATIO = 1.1
_WAITS = 0.15
_WORKS = 0.5
"""A thread that works for less of its waiting waits for the disk."""
_OTHERS = 0.15
_FULL = 0.9
"""Where less of the processor is used by all, nobody waits for another."""
_SHORT_PAYS = 1.3


def first_remedy(
    script: WatchedScript, *, cores: float, card_gain: float | None = None, short_format_gain: float | None = None
) -> Remedy | None:
    """Return the remedy with the largest gain; None where nothing is worth a change.

    Args:
        script: What was seen.
        cores: That the script may use.
        card_gain: How many times as fast a card in this computer is predicted to be.
        short_format_gain: How many times as fast a shorter numeric format is predicted to be; None where it uses one.
    """
    found = [*_of_loading(script, cores)]
    if card_gain is not None and script.device == "cpu" and script.torch and not script.builds:
        found.append(Remedy(cause="processor_torch", gain_ratio=max(1.0, card_gain)))
    if short_format_gain is not None and short_format_gain >= _SHORT_PAYS:
        found.append(Remedy(cause="long_format", gain_ratio=short_format_gain))
    used, others = script.processor_ratio, script.others_ratio
    wanted = min(1.0, script.threads / cores) if script.threads else 1.0
    if others >= _OTHERS and used + others >= _FULL and used > 0:
        found.append(Remedy(cause="busy_program", gain_ratio=max(1.0, min(wanted, used + others) / used)))
    best = max(found, key=lambda one: one.gain_ratio, default=None)
    return best if best is not None and best.gain_ratio >= WORTH_RATIO else None


def _of_loading(script: WatchedScript, cores: float) -> Iterator[Remedy]:
    step = script.step
    if step is None or step.wait_s < _WAITS * step.step_s or script.loaders is None:
        return
    rest_s = step.step_s - step.wait_s
    if script.loaders == 0 and step.wait_busy_ratio >= _WORKS:
        hidden_s = max(rest_s, step.wait_s / max(1.0, cores - 1)) if cores > 1 else step.step_s
        yield Remedy(cause="no_loaders", gain_ratio=max(1.0, step.step_s / max(hidden_s, 1e-9)))
    elif script.loaders == 0 or script.processor_ratio < _WORKS:
        yield Remedy(cause="slow_disk", gain_ratio=max(1.0, step.step_s / max(rest_s, 1e-9)))
