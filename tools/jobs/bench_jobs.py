"""Measure jobs that no suite contains by the program and by plain loops, and show how far both are apart.

Each network of ``job_networks`` is trained by a plain loop in a process of its own, measured by the program as a quick
check begins, and trained by the plain loop twice more. Shown are the predicted step over the mean of the loops, whether
that lies in the interval, how wide it is, how far a loop is from the mean of the others (what an ideal prediction would
be off by), the peak of memory, and what the program would say without having measured the job (after a quick check
that knew nothing of it).

    python tools/jobs/bench_jobs.py [--quick] [NAME ...]

An idle computer is the reader's to provide. It takes 17 minutes; ``--quick`` takes five.
"""

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from advisor.benchmark.planning.job_plan import job_cases
from advisor.benchmark.planning.schedule import time_limit_s
from advisor.benchmark.planning.suite_plan import plan_suite
from advisor.benchmark.running.runner import run_suite
from advisor.catalog import find_workload, network_of
from advisor.probe import probe_machine
from advisor.records.hardware.machine import Machine
from advisor.records.job.asked_job import AskedJob
from advisor.records.job.prediction import Prediction
from advisor.records.job.work import Network
from advisor.records.job.workload import Workload
from advisor.records.request import Observation
from advisor.records.results.measured.measurement import Benchmark
from advisor.session.forecast import forecast_job
from advisor.session.given.own_network import OwnProgram, job_of, source_of, trace_own

FILE = Path(__file__).with_name("job_networks.py")
LOOP_S, WARM_UP_STEPS = 3.0, 3
QUICK_LOOP_S = 2.0


class Job(NamedTuple):
    """A network of the file, its samples, and how it is trained."""

    network: str
    shape: tuple[int, ...]
    batch: int
    precision: str = "fp32"
    optimizer: str = "adam"
    kind: str = "numbers"

    @property
    def name(self) -> str:
        """What the table calls it."""
        return f"{self.network} x{self.batch} {self.precision}"


IMAGE, SERIES = (3, 32, 32), (100, 32)
JOBS = (
    Job("mlp", (784,), 128),
    Job("mlp", (784,), 8, optimizer="sgd"),
    Job("wide_mlp", (1024,), 64),
    Job("wide_mlp", (1024,), 64, "amp"),
    Job("small_resnet", IMAGE, 64),
    Job("small_resnet", IMAGE, 4),
    Job("small_resnet", IMAGE, 32, "amp"),
    Job("vgg_like", (3, 64, 64), 16, optimizer="sgd"),
    Job("depthwise", (3, 96, 96), 32),
    Job("unet", (3, 64, 64), 8),
    Job("tiny_vit", (3, 64, 64), 32),
    Job("tiny_vit", (3, 64, 64), 32, "amp"),
    Job("lstm", SERIES, 32),
    Job("bidirectional_lstm", SERIES, 16),
    Job("gru", SERIES, 64),
    Job("temporal", (32, 256), 32),
    Job("volume", (1, 32, 32, 32), 8),
    Job("wide_conv", IMAGE, 8),
    Job("autoencoder", (3, 64, 64), 32),
    Job("encoder", (64,), 16, kind="tokens"),
    Job("encoder", (64,), 16, "bf16", kind="tokens"),
    Job("decoder", (64,), 8, kind="tokens", optimizer="adamw"),
    Job("generator", (100,), 32),
    Job("siamese", (2, 3, 64, 64), 16),
    Job("points", (3, 512), 32),
    Job("graph", (200, 32), 32),
    Job("recommender", (20,), 256, kind="tokens"),
    Job("recommender", (20,), 32, kind="tokens", optimizer="sgd"),
)
QUICK = JOBS[::4]
SHOWN = "{name:28} {loop:>9} {said:>9} {error:>7} {inside:>4} {width:>6} {apart:>6} {memory:>7} {guess:>7}"


def plain_loop(job: Job, time_s: float) -> None:
    """Train as people do, and print the median step and the peak of memory as JSON."""
    import torch
    from torch import nn

    sys.path.insert(0, str(FILE.parent))
    import job_networks

    model = getattr(job_networks, job.network)()
    if job.precision == "bf16":
        model = model.to(torch.bfloat16)
    if job.kind == "tokens":
        size = next(part.num_embeddings for part in model.modules() if isinstance(part, nn.Embedding))
        inputs = torch.randint(size, (job.batch, *job.shape))
    else:
        inputs = torch.randn(job.batch, *job.shape)
    makers = {"adam": torch.optim.Adam, "adamw": torch.optim.AdamW}
    make = makers.get(job.optimizer)
    optimizer = make(model.parameters()) if make else torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    output = model(inputs)
    is_picture = output.dim() == 4 and output.shape[1] == 3
    targets = torch.rand_like(output) if is_picture else torch.randint(output.shape[-1], output.shape[:-1])
    if output.dim() == 4 and not is_picture:
        targets = torch.randint(output.shape[1], (job.batch, *output.shape[2:]))
    del output

    def step() -> None:
        optimizer.zero_grad()
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=job.precision == "amp"):
            made = model(inputs)
            made = made.transpose(1, 2) if made.dim() == 3 else made
            loss = nn.functional.mse_loss(made, targets) if is_picture else nn.functional.cross_entropy(made, targets)
        loss.backward()
        optimizer.step()

    for _ in range(WARM_UP_STEPS):
        step()
    steps: list[float] = []
    end_s = time.perf_counter() + time_s
    while time.perf_counter() < end_s or not steps:
        begun_s = time.perf_counter()
        step()
        steps.append(time.perf_counter() - begun_s)
    status = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    peak = next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM"))
    print(json.dumps({"step_s": statistics.mean(steps), "peak_bytes": peak}))


def run_loop(number: int, time_s: float) -> dict[str, float]:
    """Run the plain loop of a job in a process of its own."""
    command = [sys.executable, str(Path(__file__)), "--loop", str(number), "--seconds", str(time_s)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    measured: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return measured


def question(job: Job) -> tuple[AskedJob, Network]:
    """Return the job as the program asks it."""
    program = OwnProgram(reference=f"{FILE}:{job.network}", input_shape=job.shape)
    network = msgspec.structs.replace(trace_own_as(program, job.kind), name=f"{FILE.name}:{job.network}")
    workload = msgspec.structs.replace(
        job_of(network),
        batch_size=job.batch,
        precision=job.precision,
        precision_is_default=False,
        optimizer=job.optimizer,
        input_kind="memory",
        samples=10_000,
    )
    source = msgspec.structs.replace(source_of(program), input_kind=job.kind)
    return AskedJob(workload=workload, network=network, source=source), network


def trace_own_as(program: OwnProgram, kind: str) -> Network:
    """Return the network's work; tokens are given by their number alone."""
    if kind == "tokens":
        [length] = program.input_shape or (1,)
        program = msgspec.structs.replace(program, input_shape=None, sequence_length=length)
    return trace_own(program)


def checked(machine: Machine) -> Benchmark:
    """Return a whole quick check of another job, the article's: its classes of work tell what was not measured."""
    workload = find_workload("article_cnn").workload
    job = AskedJob(workload=workload, network=network_of(workload))
    return run_suite(
        lambda ready: plan_suite("quick", machine, ready, job),
        limit_for=lambda ready: time_limit_s("quick", ready),
        job=job,
    )


def measured(asked: AskedJob, machine: Machine) -> Benchmark:
    """Return the job's case alone, as a quick check begins."""
    return run_suite(lambda ready: list(job_cases(asked, ready.devices[:1], None)), job=asked)


def here(machine: Machine, benchmark: Benchmark, workload: Workload, network: Network) -> Prediction:
    """Return the prediction on this computer's processor."""
    found = forecast_job(Observation(machine=machine, benchmark=benchmark), workload, network)
    return next(
        prediction
        for candidate, prediction in zip(found.candidates, found.predictions, strict=True)
        if candidate.torch_device == "cpu" and prediction is not None
    )


def _off(loops: Sequence[float], index: int) -> float:
    """Return how far a loop is from the mean of the others."""
    return abs(loops[index] / statistics.mean(one for at, one in enumerate(loops) if at != index) - 1)


def row(number: int, machine: Machine, suite: Benchmark, time_s: float) -> dict[str, float]:
    """Measure one job both ways, print its line and return its numbers."""
    job = JOBS[number]
    asked, network = question(job)
    before = run_loop(number, time_s)
    benchmark = measured(asked, machine)
    after = [run_loop(number, time_s) for _ in range(2)]
    said = here(machine, benchmark, asked.workload, network)
    guess = here(machine, suite, asked.workload, network)
    loops = [one["step_s"] for one in (before, *after)]
    loop_s = statistics.mean(loops)
    found = {
        "error": said.time_per_step_s / loop_s - 1,
        "inside": float(said.interval.low <= loop_s <= said.interval.high),
        "width": said.interval.high / said.interval.low,
        "apart": statistics.mean(_off(loops, index) for index in range(len(loops))),
        "memory": (said.memory_bytes or 0.0) / after[0]["peak_bytes"] - 1,
        "guess": guess.time_per_step_s / loop_s - 1,
        "guess_inside": float(guess.interval.low <= loop_s <= guess.interval.high),
        "measured": float(said.basis == "measured"),
    }
    print(
        SHOWN.format(
            name=job.name,
            loop=f"{1e3 * loop_s:.1f} ms",
            said=f"{1e3 * said.time_per_step_s:.1f} ms",
            error=f"{found['error']:+.0%}",
            inside="yes" if found["inside"] else "no",
            width=f"{found['width']:.2f}",
            apart=f"{found['apart']:.0%}",
            memory=f"{found['memory']:+.0%}",
            guess=f"{found['guess']:+.0%}",
        )
        + ("" if found["measured"] else f"  {said.basis}: {[one.detail or one.reason for one in benchmark.failures]}"),
        flush=True,
    )
    return found


def summary(rows: Sequence[dict[str, float]]) -> None:
    """Print what the rows show together."""
    errors, guesses = [abs(one["error"]) for one in rows], [abs(one["guess"]) for one in rows]
    print(f"\nmeasured: mean error {statistics.mean(errors):.1%}, median {statistics.median(errors):.1%}")
    print(f"interval holds {statistics.mean(one['inside'] for one in rows):.0%} (80 % are meant)")
    print(f"median width {statistics.median(one['width'] for one in rows):.2f}, most 1.35 are meant")
    apart = [one["apart"] for one in rows]
    print(f"one loop tells the others: mean error {statistics.mean(apart):.1%}, median {statistics.median(apart):.1%}")
    print(f"memory: median error {statistics.median(abs(one['memory']) for one in rows):.1%}")
    inside = statistics.mean(one["guess_inside"] for one in rows)
    print(f"unmeasured: mean error {statistics.mean(guesses):.1%}, interval holds {inside:.0%}")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", help="networks; none: all")
    parser.add_argument("--quick", action="store_true", help="a quarter of them")
    parser.add_argument("--loop", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--seconds", type=float, default=LOOP_S, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.loop is not None:
        plain_loop(JOBS[arguments.loop], arguments.seconds)
        return 0
    machine = probe_machine()
    chosen = [
        number
        for number, job in enumerate(JOBS)
        if (job.network in arguments.names if arguments.names else not arguments.quick or job in QUICK)
    ]
    suite = checked(machine)
    heads = ("loop", "said", "error", "inside", "width", "apart", "memory", "guess")
    print(SHOWN.format(name="job", **{head: head for head in heads}).replace("inside", "in"))
    summary([row(number, machine, suite, QUICK_LOOP_S if arguments.quick else LOOP_S) for number in chosen])
    return 0


if __name__ == "__main__":
    sys.exit(main())
