"""One epoch over photos made for the purpose, trained for real, against what the program says of it beforehand.

    python tools/bench_data.py [--rounds N] [--quick]

For each set of photos the program surveys the folder and measures loading as ``advisor --report --data`` does, and the
step of a small network is timed by itself. From both follows an epoch with 0, 1 and 2 loader processes, warm and cold.
Then a plain program trains one epoch of each kind; it shares no code with what predicts. The aim: within 15 % warm and
25 % cold. Alone on a computer of two cores it takes about five minutes; other load makes every number worse.
"""

import argparse
import dataclasses
import os
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy
import torch
from PIL import Image
from torch import nn
from torch.utils.data import DataLoader, Dataset

from advisor.benchmark import run_suite
from advisor.options.own_devices import cpu_device
from advisor.predict import MeasuredLoading, own_loading
from advisor.predict.own_data import own_data_rate
from advisor.predict.step import input_wait_s
from advisor.records.job.workload import Workload
from advisor.records.request import Request
from advisor.records.results.measurement import Case
from advisor.session.data import find_data, job_with, with_data
from advisor.session.run import probe
from advisor.worker.data import photos

EDGE, BATCH = 112, 32
LOADERS = (0, 1, 2)
SETS = {"500 x 375": (2000, 500, 375), "1632 x 1224": (400, 1632, 1224)}
DIFFERENT = 40
"""Different photos of a set; each file is written for itself, so that the disk has them all."""
JOB = Workload(id="bench", title="bench", network="own", samples=1, epochs=1.0, batch_size=BATCH, image_size=EDGE)


class Photos(Dataset[Any]):
    """What a user's program does with each photo: decode, crop and resize at random, mirror, to numbers."""

    def __init__(self, files: list[Path]) -> None:
        self.files = files

    def __len__(self) -> int:
        return len(self.files)

    def __getitem__(self, index: int) -> tuple[torch.Tensor, int]:
        image = Image.open(self.files[index]).convert("RGB")
        width, height = image.size
        area, aspect = random.uniform(0.08, 1.0) * width * height, random.uniform(3 / 4, 4 / 3)
        wide = min(width, round((area * aspect) ** 0.5))
        high = min(height, round((area / aspect) ** 0.5))
        left, top = random.randint(0, width - wide), random.randint(0, height - high)
        image = image.crop((left, top, left + wide, top + high)).resize((EDGE, EDGE), Image.Resampling.BILINEAR)
        if random.random() < 0.5:
            image = image.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
        pixels = torch.from_numpy(numpy.array(image)).permute(2, 0, 1).float() / 255
        return (pixels - 0.45) / 0.225, index % 8


class Training:
    """A small network and its step."""

    def __init__(self) -> None:
        self.network = nn.Sequential(
            *(nn.Conv2d(3, 16, 3, 2, 1), nn.ReLU(), nn.Conv2d(16, 32, 3, 2, 1), nn.ReLU()),
            *(nn.Conv2d(32, 64, 3, 2, 1), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, 8)),
        )
        self.optimizer = torch.optim.Adam(self.network.parameters())

    def step(self, images: torch.Tensor, labels: torch.Tensor) -> None:
        """Learn from a batch."""
        self.optimizer.zero_grad()
        nn.functional.cross_entropy(self.network(images), labels).backward()
        self.optimizer.step()

    def step_s(self, lasting_s: float = 2.0) -> float:
        """Return the mean seconds of a step that waits for nothing."""
        images, labels = torch.rand(BATCH, 3, EDGE, EDGE), torch.randint(0, 8, (BATCH,))
        for _warm in range(3):
            self.step(images, labels)
        times = []
        end_s = time.perf_counter() + lasting_s
        while time.perf_counter() < end_s:
            started_s = time.perf_counter()
            self.step(images, labels)
            times.append(time.perf_counter() - started_s)
        return statistics.mean(times)


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare predicted with real epochs over photos.")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="a quarter of the photos, for a first look")
    arguments = parser.parse_args()
    print(f"{'photos':<12} {'files':<6} {'loaders':>7} {'predicted s':>12} {'real s':>8} {'ratio':>6}")
    errors: dict[str, list[float]] = {"warm": [], "cold": []}
    for name, (count, width, height) in SETS.items():
        with tempfile.TemporaryDirectory(dir="/var/tmp" if os.path.isdir("/var/tmp") else None) as folder:  # noqa: PTH112
            files = make(Path(folder), count // 4 if arguments.quick else count, width, height)
            for _round in range(arguments.rounds):
                compare(name, Path(folder), files, errors)
    for kind, found in errors.items():
        mean = statistics.mean(abs(error) for error in found)
        print(f"{kind}: mean error {100 * mean:.0f} %, worst {100 * max(map(abs, found)):.0f} %")
    return 0


def make(folder: Path, count: int, width: int, height: int) -> list[Path]:
    photos.WIDTH, photos.HEIGHT = width, height
    different = photos.make_photos(DIFFERENT)
    files = []
    for number in range(count):
        file = folder / f"class{number % 8}" / f"{number:05}.jpg"
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(different[number % DIFFERENT])
        files.append(file)
    os.sync()
    return files


def compare(name: str, folder: Path, files: list[Path], errors: dict[str, list[float]]) -> None:
    loading, training = measured(folder), Training()
    step_s = training.step_s()
    for kind in ("warm", "cold"):
        for loaders in LOADERS:
            taken = loading if kind == "cold" else dataclasses.replace(loading, cold_s=0.0)
            predicted_s = epoch_s(taken, step_s, loaders, len(files))
            real_s = train(training, files, loaders, is_cold=kind == "cold")
            errors[kind].append(predicted_s / real_s - 1)
            ratio = predicted_s / real_s
            print(f"{name:<12} {kind:<6} {loaders:>7} {predicted_s:>12.1f} {real_s:>8.1f} {ratio:>6.2f}", flush=True)


def measured(folder: Path) -> MeasuredLoading:
    """Return what the program measures of the folder."""
    found, machine = find_data(str(folder)), probe()
    job = job_with(found.data, JOB, has_samples=False, has_input=False)
    cases = with_data((Case(id="none", program="none"),), Request(workload=job, found=found), machine)
    benchmark = run_suite(lambda _ready: cases[:1], own_files=found.files)
    loading = own_loading(benchmark.measurements, size_bytes=found.data.size_bytes, memory_bytes=float("inf"))
    if loading is None:
        raise SystemExit(f"Nothing was measured: {[failure.detail for failure in benchmark.failures]}")
    print(f"  {', '.join(f'{rate:.0f}/s with {count:.0f}' for count, rate in loading.rates)}", end="")
    print(f"; {1e3 * loading.cold_s:.2f} ms more from the disk")
    return loading


def epoch_s(loading: MeasuredLoading, step_s: float, loaders: int, samples: int) -> float:
    """Return what the program says of an epoch."""
    machine = probe()
    job = Workload(**{field: getattr(JOB, field) for field in JOB.__struct_fields__} | {"loaders": loaders})
    rate = own_data_rate(job, loading, machine.host.cpu.usable_cores)
    wait_s = input_wait_s(rate, BATCH, step_s, cpu_device(machine))
    return samples / BATCH * (step_s + wait_s)


def train(training: Training, files: list[Path], loaders: int, *, is_cold: bool) -> float:
    """Return the seconds of an epoch; processes start anew in each, as they usually do."""
    for file in files:
        with file.open("rb") as opened:
            if is_cold:
                os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
            else:
                opened.read()
    loader = DataLoader(Photos(files), batch_size=BATCH, shuffle=True, num_workers=loaders)
    started_s = time.perf_counter()
    for images, labels in loader:
        training.step(images, labels)
    return time.perf_counter() - started_s


if __name__ == "__main__":
    sys.exit(main())
