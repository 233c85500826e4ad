"""What is seen of a watched program from outside: its memory, its share of the processor, its lines of progress."""

import os
import subprocess
import sys

import psutil
import pytest

from advisor.watch import process_usage
from advisor.watch.process_usage import Lookout, Rhythm, family


class Clock:
    """Tells the time that it was given."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now_s


def heard(*pieces: tuple[float, bytes]) -> float | None:
    """Return the period of an output whose pieces come at these times."""
    clock = Clock()
    rhythm = Rhythm(clock)
    for clock.now_s, piece in pieces:
        rhythm.feed(piece)
    return rhythm.period_s()


def test_lines_that_differ_in_numbers_are_one_kind() -> None:
    """The time between them is that of the middle, so that a pause changes nothing."""
    times = (0.0, 2.0, 4.0, 30.0, 32.0)
    assert heard(*((at_s, f"epoch {n}, loss {1 / (n + 1):.3e}\n".encode()) for n, at_s in enumerate(times))) == 2.0


def test_a_bar_of_progress_is_heard() -> None:
    """It writes over its own line, in whatever pieces it comes."""
    assert heard(*((float(n), b"%d%% done\rstep" % n) for n in range(5))) == 1.0


def test_lines_that_are_kept_back_and_come_together_have_their_mean_time() -> None:
    """Of twenty a second that come by the hundred; what the first piece took nobody knows."""
    assert heard(*((5.0 * n, b"".join(b"step %d\n" % (100 * n + k) for k in range(100))) for n in range(5))) == 0.05


@pytest.mark.parametrize(
    "pieces",
    [
        [(float(n), b"step %d\n" % n) for n in range(3)],
        [(9.0, b"".join(b"step %d\n" % n for n in range(60)))],
        [(float(n), b"still going\n") for n in range(9)],
        [(float(n), b"%s 1\n" % bytes([97 + n])) for n in range(9)],
        [(float(n), b"step %d" % n) for n in range(9)],
        [],
    ],
    ids=["too few", "all at its end", "without a number", "each another", "no end of a line", "nothing"],
)
def test_what_is_no_rhythm(pieces: list[tuple[float, bytes]]) -> None:
    """Three lines have two gaps, which is no rhythm yet."""
    assert heard(*pieces) is None


def test_a_flood_of_kinds_is_not_kept() -> None:
    """Nor a line without an end; the first kinds go on."""
    clock = Clock()
    rhythm = Rhythm(clock)
    rhythm.feed(b"step 0\n")
    for kind in range(1, 2000):
        rhythm.feed(b"%s 1\n" % (b"x" * kind))
    rhythm.feed(b"y" * 100_000)
    rhythm.feed(b"\n")
    for clock.now_s in (3.0, 6.0, 9.0):
        rhythm.feed(b"step 1\n")
    assert rhythm.period_s() == 3.0
    assert len(rhythm._times) == process_usage._MOST_TEMPLATES
    assert len(rhythm._rest) <= process_usage._MOST_LINE


def test_of_an_endless_output_the_last_lines_are_kept() -> None:
    """A program that only counts, as fast as it can, filled the memory of whoever watched it."""
    clock = Clock()
    rhythm = Rhythm(clock)
    for clock.now_s in range(0, 4000, 2):
        rhythm.feed(b"%d\n" % clock.now_s)
    assert rhythm.period_s() == 2.0
    assert max(map(len, rhythm._times.values())) <= process_usage._MOST_TIMES


@pytest.mark.parametrize("line", [b"-" * 4096, b"e" * 4096], ids=["dashes", "letters of a power"])
def test_a_line_like_a_number_without_a_digit_is_passed_over(line: bytes) -> None:
    """What may be a part of a number is looked at once; from each of its signs anew, this would take ten minutes."""
    rhythm = Rhythm()
    for _ in range(10_000):
        rhythm.feed(line + b"\n")
    assert rhythm.period_s() is None


@pytest.mark.parametrize(
    ("line", "kind"),
    [(b"loss -1.5e-3, step +7", b"loss # step #"), (b"see e5: 1/2", b"see # #/#"), (b"--x-- 3--", b"--x-- #")],
)
def test_the_numbers_of_a_line_are_what_differs(line: bytes, kind: bytes) -> None:
    """Their signs, points and powers with them."""
    rhythm = Rhythm()
    rhythm.feed(line + b"\n")
    assert list(rhythm._times) == [kind]


def test_a_process_and_what_it_started_are_a_family() -> None:
    """A process that is gone has none."""
    assert os.getpid() in {one.pid for one in family(os.getpid())}
    gone = max(psutil.pids()) + 100_000
    assert family(gone) == []
    lookout = Lookout(gone)
    lookout.look()
    assert lookout.peak_bytes == 0


@pytest.mark.slow
def test_memory_and_use_are_those_of_the_family() -> None:
    """A process that holds 200 MB and computes is seen with both; the shares are shares."""
    code = "held = bytearray(200_000_000); print(flush=True)\nwhile True: pass"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        lookout = Lookout(process.pid)
        try:
            while lookout.shares()[0] <= 0:
                lookout.look()
        finally:
            process.kill()
    assert lookout.peak_bytes > 200_000_000
    assert all(0 <= share <= 1 for share in lookout.shares())


@pytest.mark.parametrize(("part", "whole", "share"), [(1, 4, 0.25), (5, 4, 1.0), (-1, 4, 0.0), (1, 0, 0.0)])
def test_a_share_is_between_nothing_and_all(part: float, whole: float, share: float) -> None:
    """Clocks of different kinds disagree a little."""
    assert process_usage._share(part, whole) == share


def test_of_a_flood_the_end_alone_is_looked_at() -> None:
    """What lies before costs no time, and is no rhythm."""
    flood = b"".join(b"line %d of very many\n" % n for n in range(3000))
    assert heard(*((float(n), flood + b"step %d\n" % n) for n in range(5))) is not None
    assert heard(*((float(n), b"step %d\n" % n + b"x" * 60_000 + b"\n") for n in range(5))) is None
