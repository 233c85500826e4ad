"""A network in the user's own program: run in the real worker, predicted, advised on; every fault is one sentence."""

import json
import sys
import threading
from pathlib import Path

import psutil
import pytest

from advisor import wire
from advisor.benchmark.running.control import Control
from advisor.benchmark.running.own_network import trace_program
from advisor.benchmark.running.runner import Limits
from advisor.benchmark.running.worker_process import Graces
from advisor.errors import TraceError, WorkerError
from tests.fakes.program import run, run_here
from tests.fakes.suite import still_running

pytestmark = [pytest.mark.torch, pytest.mark.usefixtures("warm_workers")]

PROGRAM = """
import os, sys
from torch import nn

print("garbage", '{"type":"traced"}', flush=True)
os.write(1, b"more of it\\n")

def build():
    print("and more")
    top = nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 4)
    return nn.Sequential(nn.Conv2d(3, 16, 3, stride=2), nn.ReLU(), *top)

def build_text():
    return nn.Sequential(nn.Embedding(1000, 64), nn.Linear(64, 1000))
"""
PARAMETERS = (27 + 1) * 16 + (16 + 1) * 4
IMPATIENT = Limits(start_s=120.0, graces=Graces(ask_s=0.3, terminate_s=0.3, kill_s=60.0))


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A file with two networks, which prints where it should not."""
    path = tmp_path / "model.py"
    path.write_text(PROGRAM, encoding="utf-8")
    return path


def test_an_own_network_is_predicted(program: Path) -> None:
    """By its file's name; the user is told that the file runs; nothing it prints gets into the answer."""
    done = run(
        *("--predict", "model.py:build", "--on", "RTX 4090", "--image-size", "64", "--format", "json"),
        cwd=program.parent,
    )
    assert done.returncode == 0, done.stderr
    assert "Running model.py" in done.stderr
    found = json.loads(done.stdout)
    assert (found["network"], found["device"]) == ("model.py:build", "GeForce RTX 4090")
    assert found["time_per_step_s"] > 0


def test_an_own_network_is_advised_on(program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The report names it, without its folder, and holds its own parameters and the job that was asked."""
    target = tmp_path / "report.json"
    monkeypatch.chdir(tmp_path)
    done = run_here(
        *("--report", str(target), "--suite", "none", "--workload", f"{program}:build"),
        *("--input-shape", "3x64x64", "--samples", "5000", "--epochs", "3", "--batch-size", "50"),
    )
    assert done.returncode == 0, done.stderr
    content = target.read_text(encoding="utf-8")
    report = wire.read_report(target)
    assert report.workload.network == "model.py:build"
    assert report.titles == {"en": "Your own network, model.py:build", "es": "Tu propia red, model.py:build"}
    assert report.network is not None
    assert report.network.parameters == PARAMETERS
    assert (report.workload.samples, report.workload.total_steps) == (5000, 300.0)
    assert report.advice.chosen is not None
    assert str(tmp_path) not in content


def test_tokens_go_into_an_own_network(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a length of the sequence they are whole numbers."""
    monkeypatch.chdir(program.parent)
    done = run_here("--predict", "model.py:build_text", "--on", "T4", "--sequence-length", "32", "--format", "json")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--workload", "model.py:build"), "What goes into the network is not known: add --image-size 224"),
        (("--workload", "model.py"), "model.py has more than one thing that may give a network: build, build_text."),
        (("--workload", "nowhere.py:build"), "There is no file nowhere.py."),
        (("--workload", "model.py:buidl", "--image-size", "64"), "model.py has no buidl; it has build, build_text."),
        (("--workload", "model.py:build", "--input-shape", "5,64,64"), "does not run on 2 x 5 x 64 x 64"),
        (("--predict", "model.py:build", "--on", "RTX 9999"), "no device named 'RTX 9999'"),
        (("--workload", "resnet50", "--input-shape", "3,8,8"), "--input-shape belongs to a network of your own"),
    ],
)
def test_a_fault_is_one_sentence(
    program: Path, arguments: tuple[str, ...], sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says how to fix it, on standard error, with the status of a wrong input."""
    monkeypatch.chdir(program.parent)
    done = run_here(*arguments, *(() if "--predict" in arguments else ("--suite", "none")))
    assert done.returncode == 2, done.stderr
    last = done.stderr.strip().splitlines()[-1]
    assert sentence in last
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("body", "code", "detail"),
    [
        ("while True: pass", "hung", "did not come to an end within 3 s"),
        ("import os; os._exit(7)", "died", "exit status 7"),
        ("import os; os.abort()", "died", "SIGABRT"),
        ("x = input()", "cannot_run", "EOFError"),
        ("import sys; sys.exit()", "exits", "__main__"),
        ("import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)", "hung", "3 s"),
    ],
)
def test_whatever_the_file_does_ends_with_its_process(tmp_path: Path, body: str, code: str, detail: str) -> None:
    """One sentence, and no process is left."""
    path = tmp_path / "wild.py"
    path.write_text(body + "\n", encoding="utf-8")
    before = set(psutil.Process().children(recursive=True))
    time_s = 3.0 if code == "hung" else 120.0  # for those that end by themselves, however busy the computer
    with pytest.raises(TraceError, match=detail) as caught:
        trace_program(f"{path}:build", file="wild.py", input_shape=(3,), limits=IMPATIENT, time_s=time_s)
    assert caught.value.code == code
    left = set(psutil.Process().children(recursive=True)) - before
    assert still_running(left) == []


def test_a_file_can_be_stopped(tmp_path: Path) -> None:
    """Whoever cancels need not wait for the end of the time, and no process is left."""
    path = tmp_path / "slow.py"
    path.write_text("while True: pass\n", encoding="utf-8")
    before = set(psutil.Process().children(recursive=True))
    control = Control()
    threading.Timer(0.5, control.cancel).start()
    with pytest.raises(TraceError, match=r"slow\.py was stopped") as caught:
        trace_program(f"{path}:build", file="slow.py", input_shape=(3,), limits=IMPATIENT, control=control)
    assert caught.value.code == "stopped"
    left = set(psutil.Process().children(recursive=True)) - before
    assert still_running(left) == []


def test_a_worker_that_does_not_start_is_said() -> None:
    """The process is at fault, not the file."""
    with pytest.raises(WorkerError, match="is gone: exit status 3"):
        trace_program("m.py:build", file="m.py", command=(sys.executable, "-c", "raise SystemExit(3)"))
