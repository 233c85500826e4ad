"""What a watched program tells comes in by a folder of files; none of it is trusted, and nothing of it is left."""

import errno
import json
import os
import shutil
import tempfile
from pathlib import Path

import pytest

from advisor.errors import OutputError
from advisor.watch.channel import Channel, EndSeen, Seen, StepSeen

STEP = {"event": "step", "at_s": 1.5, "optimizer_s": 0.1, "wait_s": 0.2, "wait_cpu_s": 0.0, "batches": 1}


def write(folder: Path, process: int, *lines: object) -> None:
    """Write what a process tells."""
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    (folder / f"seen-{process}.jsonl").write_text("\n".join(texts), encoding="utf-8")


def test_the_folder_is_there_as_long_as_it_is_watched() -> None:
    """Readable by nobody else, with what Python runs first in it, and gone after a fault as well."""
    channel = Channel()

    def fail() -> None:
        with channel:
            assert {path.name for path in channel.folder.iterdir()} == {
                "sitecustomize.py",
                "loop_watcher.py",
                "recorder.py",
            }
            assert os.name != "posix" or channel.folder.stat().st_mode & 0o077 == 0
            write(channel.folder, 1, STEP)
            raise InterruptedError

    with pytest.raises(InterruptedError):
        fail()
    assert not channel.folder.exists()


def test_a_full_disk_is_said_and_nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether there is no place for a folder, or none for the files in it."""

    def full(*_where: object, **_how: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(shutil, "copyfile", full)
    with pytest.raises(OutputError, match="the disk is full"), Channel():
        pass
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setattr(tempfile, "mkdtemp", full)
    with pytest.raises(OutputError, match="the disk is full"):
        Channel()


@pytest.mark.parametrize("others", [None, "/a", os.pathsep.join(("/a", "/b"))])
def test_the_environment_keeps_what_was_in_it(others: str | None) -> None:
    """What is injected comes first, the user's own paths after it."""
    with Channel() as channel:
        own = {"HOME": "/h"} | ({} if others is None else {"PYTHONPATH": others})
        made = channel.environment(own)
        first, *rest = made["PYTHONPATH"].split(os.pathsep)
        assert (first, made["ADVISOR_WATCH"], made["HOME"]) == (str(channel.folder), str(channel.folder), "/h")
        assert os.pathsep.join(rest) == (others or "")


def test_the_process_that_trains_is_heard() -> None:
    """It is the one with the most steps; its operations are in the file beside, once that is there."""
    with Channel() as channel:
        assert channel.read().events == ()
        write(channel.folder, 7, {"event": "loader", "loader": 0, "step": 0}, STEP)
        write(channel.folder, 8, STEP, STEP | {"at_s": 2.0}, {"event": "end", "why": "enough"})
        (channel.folder / "calls-7.json").write_text("[]")
        seen = channel.read()
        assert ([one.at_s for one in seen.steps], seen.is_over, seen.calls) == ([1.5, 2.0], True, None)
        assert isinstance(seen.events[-1], EndSeen)

        (channel.folder / "seen-8.jsonl").unlink()
        seen = channel.read()
        assert [type(one).__name__ for one in seen.events] == ["LoaderSeen", "StepSeen"]
        assert (seen.is_over, seen.calls) == (False, channel.folder / "calls-7.json")


@pytest.mark.parametrize(
    "line",
    [
        "",
        '{"event":"step","at_s":1.5,"optim',
        '{"event":"none"}',
        "\x00",
        json.dumps(STEP | {"batches": -1}),
        json.dumps(STEP | {"at_s": 1e13}),
        json.dumps({"event": "end", "why": "x" * 81}),
    ],
    ids=["nothing", "half a line", "another event", "no text", "below nothing", "no time", "too long"],
)
def test_what_no_watcher_wrote_is_left_out(line: str) -> None:
    """The lines around it count."""
    with Channel() as channel:
        write(channel.folder, 1, STEP, line, STEP)
        assert len(channel.read().events) == 2


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="no such file here")
def test_a_file_that_cannot_be_read_is_left_out() -> None:
    """The script may put anything there."""
    with Channel() as channel:
        write(channel.folder, 1, STEP)
        (channel.folder / "seen-2.jsonl").symlink_to("/proc/self/mem")
        assert len(channel.read().events) == 1


def test_steps_count_from_the_second_after_the_recorded_one() -> None:
    """That one writes its operations down, and the next is no plain step either; without a recorded one none counts."""
    steps = [StepSeen(at_s=n, optimizer_s=0.1, wait_s=0, wait_cpu_s=0, batches=1, recorded=n == 5) for n in range(10)]
    assert Seen(events=tuple(steps)).timed == 3
    assert Seen(events=tuple(steps[:6])).timed == 0
    assert Seen(events=tuple(steps[:5])).timed == 0
