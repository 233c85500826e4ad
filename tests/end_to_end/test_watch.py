"""Scripts that are watched while they run: what is said of them, and that they do as they would alone."""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

import msgspec
import pytest

from advisor.records.hardware.machine import Machine
from advisor.records.results.measured.watched import WatchedJob
from advisor.session.run import probe
from advisor.session.watched import watched_job
from advisor.watch.channel import Channel
from advisor.watch.program import Watched, watch
from advisor.watch.remedies import first_remedy
from tests.fakes.program import run_here

ROOT = Path(__file__).resolve().parents[2]
COLD = sys.executable
"""A Python without torch in memory, also where the measuring process is forked from one with it."""
pytestmark = pytest.mark.torch

LEAN = """
import sys, types
compiler = sys.modules["torch._dynamo"] = types.ModuleType("torch._dynamo")
compiler.disable = lambda function=None, *_, **__: function
compiler.graph_break = lambda *_: None
"""
"""Before a script: else its optimizers load torch's compiler, which takes as long as all the rest, for nothing."""

PLAIN = """
import sys
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(0)
data = torch.utils.data.TensorDataset(torch.randn(400, 3, 16, 16), torch.randint(10, (400,)))
loader = torch.utils.data.DataLoader(data, batch_size=8, shuffle=True)
layers = nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.Dropout(0.1), nn.Flatten(), nn.Linear(1568, 10)
net = nn.Sequential(*layers)
step = torch.optim.AdamW(net.parameters())
epochs = 2
for _ in range(epochs):
    for images, labels in loader:
        step.zero_grad()
        loss = nn.functional.cross_entropy(net(images), labels)
        loss.backward()
        step.step()
        print(loss.item().hex())
sys.exit(7)
"""


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty folder that is this test's place for temporary files."""
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setenv("TMPDIR", str(place))
    return place


def script(folder: Path, text: str) -> str:
    """Write a script and return its path."""
    path = folder / "train.py"
    path.write_text(text)
    return str(path)


def run(*arguments: str, **more: Any) -> "subprocess.CompletedProcess[str]":
    """Run the program as a user does."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "LANGUAGE": "en", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "advisor", "--lang", "en", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=280, check=False, **more)


def watched(folder: Path, text: str, *options: str) -> tuple[WatchedJob, "subprocess.CompletedProcess[str]"]:
    """Watch a script, and return what was saved and the process."""
    saved = folder / "seen.json"
    done = run("--watch", "--yes", "--format", "json", "--save", str(saved), *options, "--",
               sys.executable, script(folder, text))  # fmt: skip
    assert saved.is_file(), done.stderr
    return msgspec.json.decode(saved.read_bytes(), type=WatchedJob), done


def watched_here(command: list[str], *, keeps_running: bool = False) -> tuple[WatchedJob, Watched]:
    """Watch a command without starting this program, which others of these tests start."""
    with mock.patch.dict(os.environ, {"OMP_NUM_THREADS": "1"}), Channel() as channel:
        seen = watch(command, channel, keeps_running=keeps_running, output=lambda _piece: None)
        return watched_job(seen, command, here()), seen


@cache
def here() -> Machine:
    """Return this computer."""
    return probe()


def test_a_plain_loop_is_seen_and_does_as_it_would_alone(tmp_path: Path, temporary: Path, warm: str) -> None:
    """Its losses are the same to the last bit, its exit status is its own, and nothing is left behind.

    What was saved is asked about again: the job is predicted on every option without running the script.
    """
    job, done = watched(tmp_path, PLAIN, "--keep-running")
    alone = subprocess.run([warm, str(tmp_path / "train.py")], capture_output=True, text=True, check=False, timeout=240)

    losses = alone.stdout.splitlines()
    assert len(losses) == 100
    assert done.stdout.splitlines()[:100] == losses
    assert done.returncode == alone.returncode == 7
    assert job.script.step is not None
    assert job.script.step.steps == 30
    assert (job.script.steps_per_epoch, job.script.epochs, job.script.loaders) == (50, 2, 0)
    assert job.workload is not None
    assert job.network is not None
    assert (job.workload.batch_size, job.workload.samples, job.workload.optimizer) == (8, 400, "adamw")
    assert (job.network.parameters, job.network.image_size) == (8 * 27 + 8 + 16 + 15690, 16)
    assert not list(temporary.glob("advisor*"))  # torch leaves a folder of its own, watched or not
    assert sorted(path.name for path in tmp_path.iterdir()) == ["seen.json", "temporary", "train.py"]

    saved = str(tmp_path / "seen.json")
    again = run_here("--report", "--suite", "none", "--no-history", "--format", "json", "--workload", saved,
                     "--epochs", "9")  # fmt: skip
    report = json.loads(again.stdout)
    assert (report["workload"]["epochs"], report["workload"]["samples"]) == (9, 400)
    assert len(report["advice"]["options"]) > 100


@pytest.mark.parametrize(
    ("text", "status"),
    [("import sys; sys.exit(5)", 5), ("raise RuntimeError('broken')", 1), ("print('nothing to see')", 0)],
    ids=["exits", "fails", "without torch"],
)
def test_a_script_without_steps_keeps_its_end(tmp_path: Path, text: str, status: int) -> None:
    """What can be said from outside is said."""
    job, done = watched(tmp_path, text)
    assert done.returncode == status
    assert (job.script.ended, job.script.step, job.network) == ("itself", None, None)


def test_a_rhythm_without_torch_is_heard(tmp_path: Path) -> None:
    """Lines that differ in their numbers alone are steps of some kind."""
    job, _done = watched(tmp_path, "import time\nfor i in range(12): print('step', i, flush=True); time.sleep(0.2)")
    assert job.script.rhythm_s is not None
    assert job.script.rhythm_s > 0.1


@pytest.mark.usefixtures("warm_workers")
def test_a_step_inside_the_optimizer_is_seen(tmp_path: Path) -> None:
    """Lightning hands the forward and backward pass to the optimizer as a closure."""
    body = PLAIN[PLAIN.index("        step.zero_grad()") : PLAIN.index("        step.step()")]
    indented = "".join(f"    {line}\n" for line in body.splitlines())
    closure = f"        def closure():\n{indented}            return loss\n        loss = step.step(closure)\n"
    text = PLAIN.replace(body + "        step.step()\n", closure)
    job, _seen = watched_here([sys.executable, script(tmp_path, text)])
    assert job.script.step is not None
    assert job.network is not None
    assert {one.phase for one in job.network.operations} == {"forward", "backward"}


@pytest.mark.usefixtures("warm_workers")
def test_a_step_over_all_the_data_is_an_epoch(tmp_path: Path) -> None:
    """Nothing tells how many samples there are; more than are assumed went through one step, and an epoch has them."""
    text = """
import torch
x, y = torch.randn(20000, 20), torch.randn(20000, 1)
net = torch.nn.Linear(20, 1)
steps = torch.optim.SGD(net.parameters(), 0.01)
for _ in range(40):
    steps.zero_grad()
    ((net(x) - y) ** 2).mean().backward()
    steps.step()
"""
    job, _seen = watched_here([sys.executable, script(tmp_path, text)])
    assert job.workload is not None
    assert (job.workload.batch_size, job.workload.samples) == (20_000, 20_000)


@pytest.mark.usefixtures("warm_workers")
def test_a_training_in_a_forked_process_of_another_is_seen(tmp_path: Path) -> None:
    """A launcher starts the script that trains, and that forks first: the end is the launcher's.

    Whether torch was there before the fork or not, the child is watched from its own first step.
    """
    fork = (
        f"{LEAN}\nimport os, sys, torch\nif os.fork():\n    sys.exit(os.waitstatus_to_exitcode(os.wait()[1]))\n{PLAIN}"
    )
    (tmp_path / "inner.py").write_text(fork)
    launcher = "import subprocess, sys; sys.exit(subprocess.call([sys.executable, sys.argv[0][:-8] + 'inner.py']))"
    job, seen = watched_here([COLD, script(tmp_path, launcher)], keeps_running=True)
    assert job.script.step is not None
    assert (job.script.step.steps, seen.status) == (30, 7)
    assert job.network is not None


TWO = """
import torch
from torch import nn

body = nn.Sequential(nn.Conv2d(3, 16, 3), nn.ReLU(), nn.Flatten()).requires_grad_(False)
first, second = nn.Linear(3136, 10), nn.Linear(3136, 20)
one, other = torch.optim.SGD(first.parameters()), torch.optim.Adam(second.parameters())
x, y = torch.randn(400, 3, 16, 16), torch.randint(10, (400,))
for _ in range(11):
    for start in range(0, 400, 100):
        images, labels = x[start:start + 100], y[start:start + 100]
        for head, step in ((first, one), (second, other)):
            step.zero_grad()
            nn.functional.cross_entropy(head(body(images)), labels).backward()
            step.step()
"""


@pytest.mark.usefixtures("warm_workers")
def test_every_optimizer_s_parameters_count_and_frozen_ones_too(tmp_path: Path) -> None:
    """Two that take turns are one step, as in a GAN; what neither has is there, and not trained.

    Without a loader the rows that go into the network are the batch.
    """
    job, _seen = watched_here([sys.executable, script(tmp_path, TWO)])
    assert job.network is not None
    assert job.workload is not None
    heads = 3136 * 10 + 10 + 3136 * 20 + 20
    assert (job.network.parameters, job.network.trainable_parameters) == (heads + 3 * 16 * 9 + 16, heads)
    assert job.workload.batch_size == 100
    products = [one for one in job.network.operations if one.kind == "gemm" and one.phase == "forward"]
    assert sum(one.flop_per_sample for one in products) == pytest.approx(2 * 3136 * 30)


def test_several_processes_are_one_job(tmp_path: Path) -> None:
    """One of them is recorded, the batch is that of all, and what they exchange is no work of the network.

    Without the warm Python: processes that torchrun starts from a forked one hung in 4 of 17 runs.
    """
    spread = PLAIN.replace("import sys", "import sys, torch.distributed as dist").replace(
        "torch.manual_seed(0)", "torch.manual_seed(0)\ndist.init_process_group('gloo')"
    )
    spread = spread.replace("step = torch", "net = nn.parallel.DistributedDataParallel(net)\nstep = torch")
    spread = spread.replace("sys.exit(7)", "dist.destroy_process_group()")
    launcher = [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", "2"]
    job, seen = watched_here([*launcher, script(tmp_path, spread)], keeps_running=True)
    assert seen.status == 0
    assert (job.script.processes, job.script.steps_per_epoch) == (2, 50)
    assert job.script.step is not None
    assert job.script.step.exchange_s > 0
    assert job.network is not None
    assert job.workload is not None
    assert (job.workload.batch_size, job.network.parameters) == (16, 8 * 27 + 8 + 16 + 15690)


SLOW = """
import time
import torch
from torch import nn

class Data(torch.utils.data.Dataset):
    def __len__(self):
        return 400
    def __getitem__(self, index):
        LOAD
        return torch.randn(3, 16, 16), index % 10

def train():
    loader = torch.utils.data.DataLoader(Data(), batch_size=8, num_workers=WORKERS)
    net = nn.Sequential(nn.Conv2d(3, FILTERS, 3), nn.ReLU(), nn.Flatten(), nn.Linear(196 * FILTERS, 10))
    step = torch.optim.SGD(net.parameters())
    for images, labels in loader:
        step.zero_grad()
        nn.functional.cross_entropy(net(images), labels).backward()
        step.step()

if __name__ == "__main__":
    train()
"""
READ = "time.sleep(0.01)"
WORK = "end = time.thread_time() + 0.005\n        while time.thread_time() < end: pass"


@pytest.mark.parametrize(
    ("load", "workers", "cause"),
    [(READ, 0, "slow_disk"), (READ, 1, "slow_disk"), (WORK, 0, "no_loaders"), (WORK, 1, "few_loaders"), ("", 0, None)],
)
@pytest.mark.usefixtures("warm_workers")
@pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="only Linux tells working from waiting here")
def test_a_planted_fault_of_loading_is_named(tmp_path: Path, load: str, workers: int, cause: str | None) -> None:
    """Reading that takes its time and work on the samples are told apart, on a computer with a core for each.

    Where loading is to be seen, the network is so small that on a busy computer, too, its steps wait for data.
    """
    text = SLOW.replace("LOAD", load or "pass").replace("WORKERS", str(workers))
    text = text.replace("FILTERS", "8" if load else "96")
    job, _seen = watched_here([sys.executable, script(tmp_path, text)])
    alone = msgspec.structs.replace(job.script, others_ratio=0.0)
    remedy = first_remedy(alone, cores=8)
    assert (None if remedy is None else remedy.cause) == cause


def test_a_training_without_an_end_is_ended(tmp_path: Path) -> None:
    """And all that it has started with it; the status is that of a command that did what it should."""
    endless = PLAIN.replace("range(epochs)", "iter(int, 1)").replace("batch_size=8", "batch_size=8, num_workers=1")
    job, done = watched(tmp_path, LEAN + endless)
    assert (job.script.ended, job.script.loaders, done.returncode) == ("enough", 1, 0)


def test_much_output_passes_through(tmp_path: Path) -> None:
    """None of it is kept, and none is lost."""
    job, done = watched(tmp_path, "for i in range(40_000): print('x' * 500)")
    assert done.stdout.count("x" * 500 + "\n") == 40_000
    assert job.script.memory_bytes < 1e9


def test_input_reaches_the_script(tmp_path: Path) -> None:
    """A script that asks gets the answer."""
    saved = ["--watch", "--yes", "--format", "json", "--", sys.executable, script(tmp_path, "print('got ' + input())")]
    assert "got secret" in run(*saved, input="secret\n").stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--watch", "--yes"], "--watch needs a command"),
        (["--watch", "--", "python", "x.py"], "add --yes"),
        (["--watch", "--yes", "--", "no-such-program"], "There is no program 'no-such-program'"),
        (["--watch", "--yes", "--", sys.executable, "no_such_script.py"], "no_such_script.py cannot be read"),
        (["--watch", "--yes", "--", "README.md"], "README.md is not a program that can be started by itself"),
        (["--save", "a.json"], "belong to --watch"),
    ],
)
def test_what_cannot_be_watched_gets_one_sentence(arguments: list[str], sentence: str) -> None:
    """Nothing is run."""
    done = run_here(*arguments)
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.returncode == 2
