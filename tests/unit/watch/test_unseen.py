"""Why nothing of a program is seen inside: a real Python, started as users start it."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import psutil
import pytest

from advisor.records.results.measured.watched import Unseen
from advisor.watch.channel import Channel
from advisor.watch.unseen import _flags, why_unseen


@contextmanager
def waiting(command: list[str], environment: dict[str, str]) -> Iterator[psutil.Process]:
    """Start a program that says when it runs, and then waits."""
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            yield psutil.Process(process.pid)
        finally:
            process.kill()


@pytest.mark.parametrize(
    ("options", "own", "reason"),
    [
        ([], {}, None),
        (["-u", "-O"], {"PYTHONPATH": "{others}{sep}{folder}"}, None),
        (["-E"], {}, "options"),
        (["-uI"], {}, "options"),
        (["-W", "ignore", "-S"], {}, "options"),
        ([], {"PYTHONPATH": "{others}"}, "path"),
        ([], {"PYTHONPATH": "", "ADVISOR_WATCH": ""}, "environment"),
    ],
)
def test_what_keeps_a_python_from_being_seen(options: list[str], own: dict[str, str], reason: Unseen | None) -> None:
    """Its options, its path, or an environment that is another; nothing where it is seen."""
    with Channel() as channel:
        values = {"folder": str(channel.folder), "others": os.sep + "x", "sep": os.pathsep}
        changed = {name: value.format(**values) for name, value in own.items()}
        environment = {**channel.environment(dict(os.environ)), **changed}
        command = [os.path.realpath(sys.executable), *options, "-c", "print(flush=True); input()", "-I"]
        with waiting(command, environment) as process:
            assert why_unseen(process, channel.folder) == reason


@pytest.mark.skipif(sys.platform == "win32", reason="a shell that waits")
def test_of_other_programs_nothing_is_said() -> None:
    """They have no Python's options, and need none of its paths."""
    with Channel() as channel, waiting(["sh", "-c", "echo; read x; true", "-I"], dict(os.environ)) as process:
        assert why_unseen(process, channel.folder) is None


@pytest.mark.parametrize(
    ("words", "letters"),
    [
        ("train.py -I", ""),
        ("-m train -I", ""),
        ("-Bc pass -E", "B"),
        ("-X dev -Es train.py", "Es"),
        ("-Wignore -S", "S"),
        ("--check-hash-based-pycs never -I", "I"),
        ("- -I", ""),
    ],
)
def test_options_end_where_the_program_begins(words: str, letters: str) -> None:
    """What comes after it is the program's own."""
    assert _flags(words.split()) == set(letters)
