"""When what was seen is written down: soon, for a process that leaves at once, but never for long."""

import time
from pathlib import Path

import pytest

from advisor.watch.injected import loop_watcher


class Clock:
    """Tells the time that it was given, whichever clock is asked."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now_s


@pytest.mark.parametrize(("takes_s", "written"), [(0.0, 9), (0.0001, 9), (0.002, 3)])
def test_what_is_seen_is_written_down_as_often_as_costs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, takes_s: float, written: int
) -> None:
    """Of nine steps, 0.06 s each: where writing takes longer, several are written down together."""
    clock = Clock()
    monkeypatch.setattr(time, "perf_counter", clock)
    monkeypatch.setattr(time, "monotonic", clock)
    watch = loop_watcher._Watch(str(tmp_path))
    flush, times = watch._flush, []

    def slow_flush() -> None:
        times.append(clock.now_s)
        flush()
        clock.now_s += takes_s

    monkeypatch.setattr(watch, "_flush", slow_flush)
    for step in range(9):
        watch._tell(event="step", step=step)
        clock.now_s += 0.06
    assert len(times) == written
    [file] = tmp_path.iterdir()
    assert len(file.read_text().splitlines()) == 9
