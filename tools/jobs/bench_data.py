"""One epoch over photos made for the purpose, trained for real, against what the program says of it beforehand.

    python tools/jobs/bench_data.py [--rounds N] [--repeats N] [--quick]

For each set of photos the program is asked as a user asks it: the network as a file of its own, the folder as the data,
one quick check; then what an epoch takes with 0, 1 and 2 loader processes, where the files lie in memory and where they
come from the disk. Then a plain program trains one epoch of each kind, three times, each in a process of its own; it
shares no code with what predicts. The middle of the three is what a prediction is compared with, and how far the
program lies from its own middle is printed beside it. The aim: within 15 % warm and 25 % cold. Alone on a computer of
two cores it takes about twelve minutes; other load makes every number worse.
"""

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import msgspec
import numpy
import torch
from PIL import Image
from torch import nn
from torch.utils.data import DataLoader, Dataset

from advisor.records.job.asked_job import FED_PROGRAM, JOB_PROGRAM
from advisor.records.job.workload import Workload
from advisor.records.request import Observation, Request
from advisor.session.forecast import forecast_job
from advisor.session.given.data import find_data, job_with
from advisor.session.given.own_network import OwnProgram, job_of, source_of, trace_own
from advisor.session.run import observe
from advisor.worker.data import photos

EDGE, BATCH = 112, 32
LOADERS = (0, 1, 2)
SETS = {"500 x 375": (2000, 500, 375), "1024 x 768": (600, 1024, 768), "1632 x 1224": (400, 1632, 1224)}
DIFFERENT = 40
"""Different photos of a set; each file is written for itself, so that the disk has them all."""
NETWORK = """
from torch import nn

def build():
    return nn.Sequential(
        nn.Conv2d(3, 16, 3, 2, 1), nn.ReLU(), nn.Conv2d(16, 32, 3, 2, 1), nn.ReLU(),
        nn.Conv2d(32, 64, 3, 2, 1), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, 8),
    )
"""
WARM_EPOCHS = 1000.0
"""Of so many epochs the first, which reads the disk, does not count."""


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


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare predicted with real epochs over photos.")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--repeats", type=int, default=3, help="runs of the real program for each number")
    parser.add_argument("--quick", action="store_true", help="a quarter of the photos, for a first look")
    parser.add_argument("--train", metavar="FOLDER", type=Path, help="train on these photos and print the seconds")
    parser.add_argument("--loaders", type=int, default=0)
    parser.add_argument("--cold", action="store_true")
    arguments = parser.parse_args()
    if arguments.train:
        print(train(sorted(arguments.train.glob("*/*.jpg")), arguments.loaders, is_cold=arguments.cold))
        return 0
    print(f"{'photos':<12} {'files':<6} {'loaders':>7} {'predicted s':>12} {'real s':>8} {'ratio':>6}  {'runs':>11}")
    compared: dict[str, list[tuple[float, list[float]]]] = {"warm": [], "cold": []}
    for name, (count, width, height) in SETS.items():
        with tempfile.TemporaryDirectory(dir="/var/tmp" if os.path.isdir("/var/tmp") else None) as folder:  # noqa: PTH112
            make(Path(folder), count // 4 if arguments.quick else count, width, height)
            for _round in range(arguments.rounds):
                compare(name, Path(folder), arguments.repeats, compared)
    for kind, found in compared.items():
        print(f"{kind}: {summary(found)}")
    return 0


def summary(compared: list[tuple[float, list[float]]]) -> str:
    """Return how far predictions lie from the middle of real runs, and these runs from it, in words."""
    errors = [abs(predicted_s / statistics.median(real_s) - 1) for predicted_s, real_s in compared]
    own = [abs(one_s / statistics.median(real_s) - 1) for _predicted_s, real_s in compared for one_s in real_s]
    between = sum(min(real_s) <= predicted_s <= max(real_s) for predicted_s, real_s in compared)
    return (
        f"mean error {100 * statistics.mean(errors):.0f} %, median {100 * statistics.median(errors):.0f} %, "
        f"worst {100 * max(errors):.0f} %; the program itself lies up to {100 * max(own):.0f} % from its middle; "
        f"{between} of {len(compared)} predictions lie between its quickest and slowest run"
    )


def make(folder: Path, count: int, width: int, height: int) -> None:
    photos.WIDTH, photos.HEIGHT = width, height
    different = photos.make_photos(DIFFERENT)
    for number in range(count):
        file = folder / f"class{number % 8}" / f"{number:05}.jpg"
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(different[number % DIFFERENT])
    os.sync()


def compare(name: str, folder: Path, repeats: int, compared: dict[str, list[tuple[float, list[float]]]]) -> None:
    asked = Asked(folder)
    for kind in ("warm", "cold"):
        for loaders in LOADERS:
            predicted_s = asked.epoch_s(loaders, is_cold=kind == "cold")
            real_s = [train_apart(folder, loaders, is_cold=kind == "cold") for _number in range(repeats)]
            compared[kind].append((predicted_s, real_s))
            middle_s = statistics.median(real_s)
            times = f"{predicted_s:>12.1f} {middle_s:>8.1f} {predicted_s / middle_s:>6.2f}"
            runs = f"{min(real_s):.1f} to {max(real_s):.1f}"
            print(f"{name:<12} {kind:<6} {loaders:>7} {times}  {runs:>11}", flush=True)


class Asked:
    """The program after a quick check of the network in a file and of the photos in a folder."""

    def __init__(self, folder: Path) -> None:
        with tempfile.TemporaryDirectory() as own:
            file = Path(own) / "bench_network.py"
            file.write_text(NETWORK, encoding="utf-8")
            program = OwnProgram(reference=f"{file}:build", image_size=EDGE)
            self._network = trace_own(program)
            found = find_data(str(folder))
            job = msgspec.structs.replace(
                job_of(self._network), batch_size=BATCH, image_size=EDGE, precision="fp32", epochs_are_default=False
            )
            self._job = job_with(found.data, job, has_samples=False, has_input=False)
            self._observation = observe(
                Request(
                    workload=self._job, network=self._network, source=source_of(program), found=found, suite="quick"
                ),
                announce=lambda _event: None,
            )
        self._show(self._observation)

    @staticmethod
    def _show(observation: Observation) -> None:
        benchmark = observation.benchmark
        if benchmark is None or not any(one.case.program == FED_PROGRAM for one in benchmark.measurements):
            failures = (
                [] if benchmark is None else [(one.case.id, one.reason, one.detail) for one in benchmark.failures]
            )
            raise SystemExit(f"The job was not measured with its data: {failures}")
        for one in benchmark.measurements:
            if one.case.program in (JOB_PROGRAM, "data", FED_PROGRAM):
                rates = [(round(x), float(f"{y:.3g}")) for x, y in one.series[0].points]
                print(f"  {one.case.program}: median {one.median_s:.4f} s, {rates}")

    def epoch_s(self, loaders: int, *, is_cold: bool) -> float:
        """Return what the program says of an epoch."""
        epochs = 1.0 if is_cold else WARM_EPOCHS
        job: Workload = msgspec.structs.replace(self._job, loaders=loaders, epochs=epochs)
        forecast = forecast_job(self._observation, job, self._network)
        step_s = next(
            prediction.time_per_step_s
            for candidate, prediction in zip(forecast.candidates, forecast.predictions, strict=True)
            if candidate.torch_device == "cpu" and prediction is not None
        )
        return job.samples / BATCH * step_s


def train_apart(folder: Path, loaders: int, *, is_cold: bool) -> float:
    """Return the seconds of an epoch in a program of its own: how the C library keeps memory is part of its pace."""
    arguments = ["--train", str(folder), "--loaders", str(loaders), *(["--cold"] if is_cold else [])]
    said = subprocess.run([sys.executable, __file__, *arguments], check=True, capture_output=True, text=True)
    return float(said.stdout)


def train(files: list[Path], loaders: int, *, is_cold: bool) -> float:
    """Return the seconds of the second epoch; processes start anew in each, as they usually do.

    The first begins with a heap that has never been used, which no later one does.
    """
    training = Training()
    epoch_s(training, files, loaders, is_cold=is_cold)
    return epoch_s(training, files, loaders, is_cold=is_cold)


def epoch_s(training: Training, files: list[Path], loaders: int, *, is_cold: bool) -> float:
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
