"""Plain torch programs, written the way torch's documentation writes them, for the same work as the worker's cases.

Nothing here is taken from the worker but the sizes a case states; networks are written a second time and in another
way, so that a mistake in the worker's shows as a difference.
"""

import io
import itertools
import math
import os
import random
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar

import numpy
import torch
from PIL import Image
from torch import nn
from torch.nn import functional as F  # noqa: N812 - as torch's documentation calls it
from torch.profiler import ProfilerActivity, profile, record_function, schedule
from torch.utils.data import DataLoader, Dataset

from advisor.records.results.measured.measurement import Case

Step = Callable[[], object]
Loop = Callable[[int], object]
"""Runs so many steps."""

Moved = TypeVar("Moved", torch.Tensor, nn.Module)

SHORT_DTYPES = {"fp16": torch.float16, "bf16": torch.bfloat16, "fp64": torch.float64}
"""What is not stored in fp32; tf32 and mixed precision are."""


class ArticleCnn(nn.Module):
    """The article's network for eight kinds of scenes."""

    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(3, 32, 3)
        self.conv2 = nn.Conv2d(32, 64, 3)
        self.pool = nn.MaxPool2d(2, 2)
        self.fc1 = nn.Linear(64 * 36 * 36, 512)
        self.fc2 = nn.Linear(512, 64)
        self.fc3 = nn.Linear(64, 8)
        self.dropout = nn.Dropout(0.2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the scores of the classes."""
        x = self.pool(torch.relu(self.conv1(x)))
        x = self.pool(torch.relu(self.conv2(x)))
        x = torch.flatten(x, 1)
        x = self.dropout(torch.relu(self.fc1(x)))
        x = self.dropout(torch.relu(self.fc2(x)))
        return self.fc3(x)


class SimpleCnn(nn.Module):
    """The article's network on choosing a GPU."""

    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(3, 32, 3, padding=1)
        self.conv2 = nn.Conv2d(32, 64, 3, padding=1)
        self.fc1 = nn.Linear(64 * 7 * 7, 128)
        self.fc2 = nn.Linear(128, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the scores of the classes."""
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        x = F.relu(self.fc1(x.flatten(1)))
        return self.fc2(x)


class HandWrittenRnn(nn.Module):
    """A layer of 256 over 100 steps of 64 numbers, as torch's tutorial on classifying names writes its cell."""

    def __init__(self) -> None:
        super().__init__()
        self.i2h, self.h2h = nn.Linear(64, 256), nn.Linear(256, 256)
        self.h2o = nn.Linear(256, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the scores of the classes."""
        hidden = x.new_zeros(x.size(0), 256)
        for t in range(x.size(1)):
            hidden = torch.tanh(self.i2h(x[:, t]) + self.h2h(hidden))
        return self.h2o(hidden)


class HandWrittenLstmLayer(nn.Module):
    """The same with the gates of an LSTM."""

    def __init__(self) -> None:
        super().__init__()
        self.i2h, self.h2h = nn.Linear(64, 4 * 256), nn.Linear(256, 4 * 256)
        self.out = nn.Linear(256, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the scores of the classes."""
        hx, cx = x.new_zeros(x.size(0), 256), x.new_zeros(x.size(0), 256)
        for t in range(x.size(1)):
            ingate, forgetgate, cellgate, outgate = (self.i2h(x[:, t]) + self.h2h(hx)).chunk(4, 1)
            cx = torch.sigmoid(forgetgate) * cx + torch.sigmoid(ingate) * torch.tanh(cellgate)
            hx = torch.sigmoid(outgate) * torch.tanh(cx)
        return self.out(hx)


class HandWrittenLstm(nn.Module):
    """Two layers of 256 over 100 steps of 64 numbers, one cell after another."""

    def __init__(self) -> None:
        super().__init__()
        self.i2h = nn.ModuleList([nn.Linear(64, 4 * 256), nn.Linear(256, 4 * 256)])
        self.h2h = nn.ModuleList([nn.Linear(256, 4 * 256), nn.Linear(256, 4 * 256)])
        self.dropout = nn.Dropout(0.5)
        self.out = nn.Linear(256, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the scores of the classes."""
        hx = [x.new_zeros(x.size(0), 256) for _ in range(2)]
        cx = [x.new_zeros(x.size(0), 256) for _ in range(2)]
        for t in range(x.size(1)):
            below = x[:, t]
            for i in range(2):
                ingate, forgetgate, cellgate, outgate = (self.i2h[i](below) + self.h2h[i](hx[i])).chunk(4, 1)
                cx[i] = torch.sigmoid(forgetgate) * cx[i] + torch.sigmoid(ingate) * torch.tanh(cellgate)
                hx[i] = torch.sigmoid(outgate) * torch.tanh(cx[i])
                below = self.dropout(hx[i])
        return self.out(below)


class FusedLstm(nn.Module):
    """The same by torch's own module."""

    def __init__(self) -> None:
        super().__init__()
        self.lstm = nn.LSTM(64, 256, num_layers=2, batch_first=True, dropout=0.5)
        self.dropout = nn.Dropout(0.5)
        self.out = nn.Linear(256, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the scores of the classes."""
        output, _ = self.lstm(x)
        return self.out(self.dropout(output[:, -1, :]))


def _bn_relu_conv(channels: int, out: int, size: int) -> nn.Sequential:
    return nn.Sequential(
        nn.BatchNorm2d(channels), nn.ReLU(inplace=True), nn.Conv2d(channels, out, size, padding=size // 2, bias=False)
    )


class DenseNet121(nn.Module):
    """Huang et al., 2017, table 1, with two classes."""

    def __init__(self, classes: int = 2) -> None:
        super().__init__()
        self.stem = nn.Conv2d(3, 64, 7, stride=2, padding=3, bias=False)
        self.norm0 = nn.BatchNorm2d(64)
        self.layers = nn.ModuleList()
        self.transitions = nn.ModuleList()
        channels = 64
        for block, count in enumerate((6, 12, 24, 16)):
            for _ in range(count):
                self.layers.append(nn.Sequential(_bn_relu_conv(channels, 128, 1), _bn_relu_conv(128, 32, 3)))
                channels += 32
            if block < 3:
                self.transitions.append(_bn_relu_conv(channels, channels // 2, 1))
                channels //= 2
        self.norm5 = nn.BatchNorm2d(channels)
        self.classifier = nn.Linear(channels, classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the scores of the classes."""
        x = F.max_pool2d(F.relu(self.norm0(self.stem(x)), inplace=True), 3, stride=2, padding=1)
        layers = iter(self.layers)
        for block, count in enumerate((6, 12, 24, 16)):
            features = [x]
            for _ in range(count):
                features.append(next(layers)(torch.cat(features, 1)))
            x = torch.cat(features, 1)
            if block < 3:
                x = F.avg_pool2d(self.transitions[block](x), 2)
        x = F.adaptive_avg_pool2d(F.relu(self.norm5(x), inplace=True), (1, 1))
        return self.classifier(torch.flatten(x, 1))


def frozen_densenet121() -> nn.Module:
    """Return the network as a feature extractor: torch's tutorial on transfer learning puts a new last layer on it."""
    model = DenseNet121()
    for parameter in model.parameters():
        parameter.requires_grad = False
    model.classifier = nn.Linear(model.classifier.in_features, 2)
    return model


class Bottleneck(nn.Module):
    """He et al., 2016, with the stride in the 3x3 convolution."""

    def __init__(self, inplanes: int, planes: int, stride: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(inplanes, planes, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(planes)
        self.conv2 = nn.Conv2d(planes, planes, 3, stride=stride, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(planes)
        self.conv3 = nn.Conv2d(planes, 4 * planes, 1, bias=False)
        self.bn3 = nn.BatchNorm2d(4 * planes)
        self.relu = nn.ReLU(inplace=True)
        self.downsample = None
        if stride != 1 or inplanes != 4 * planes:
            self.downsample = nn.Sequential(
                nn.Conv2d(inplanes, 4 * planes, 1, stride=stride, bias=False), nn.BatchNorm2d(4 * planes)
            )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the scores of the classes."""
        identity = x if self.downsample is None else self.downsample(x)
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.relu(self.bn2(self.conv2(out)))
        out = self.bn3(self.conv3(out))
        out += identity
        return self.relu(out)


class ResNet50(nn.Module):
    """Four stages of 3, 4, 6 and 3 bottlenecks."""

    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(3, 64, 7, stride=2, padding=3, bias=False)
        self.bn1 = nn.BatchNorm2d(64)
        blocks, inplanes = [], 64
        for stage, (planes, count) in enumerate(zip((64, 128, 256, 512), (3, 4, 6, 3), strict=True)):
            for i in range(count):
                blocks.append(Bottleneck(inplanes, planes, 2 if stage and not i else 1))
                inplanes = 4 * planes
        self.blocks = nn.Sequential(*blocks)
        self.fc = nn.Linear(2048, 1000)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the scores of the classes."""
        x = F.max_pool2d(F.relu(self.bn1(self.conv1(x)), inplace=True), 3, stride=2, padding=1)
        x = self.blocks(x).mean(dim=(2, 3))
        return self.fc(x)


class EncoderBlock(nn.Module):
    """An encoder block with the sizes of BERT base, as torch's tutorial on scaled dot product attention writes it."""

    def __init__(self) -> None:
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(768), nn.LayerNorm(768)
        self.c_attn, self.c_proj = nn.Linear(768, 3 * 768), nn.Linear(768, 768)
        self.linear1, self.linear2 = nn.Linear(768, 3072), nn.Linear(3072, 768)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return as many tokens, as wide."""
        batch, tokens, width = x.size()
        query, key, value = self.c_attn(self.norm1(x)).chunk(3, -1)
        query, key, value = (y.view(batch, tokens, 12, width // 12).transpose(1, 2) for y in (query, key, value))
        y = F.scaled_dot_product_attention(query, key, value)
        x = x + self.c_proj(y.transpose(1, 2).reshape(batch, tokens, width))
        return x + self.linear2(F.gelu(self.linear1(self.norm2(x))))


def encoder_layer() -> nn.Module:
    """Return torch's own layer of the same arithmetic, which copies tokens and heads into other orders on its way."""
    return nn.TransformerEncoderLayer(
        768, 12, dim_feedforward=3072, dropout=0.0, activation="gelu", batch_first=True, norm_first=True
    )


NETWORKS: dict[str, tuple[Callable[[], nn.Module], tuple[int, ...], int]] = {
    # class, shape of one sample, classes (0: as many numbers as the input)
    "article_cnn": (ArticleCnn, (3, 150, 150), 8),
    "simple_cnn": (SimpleCnn, (3, 28, 28), 10),
    "rnn_cell": (HandWrittenRnn, (100, 64), 10),
    "lstm_cell": (HandWrittenLstmLayer, (100, 64), 10),
    "stacked_lstm": (HandWrittenLstm, (100, 64), 10),
    "fused_lstm": (FusedLstm, (100, 64), 10),
    "densenet121": (partial(DenseNet121, 1000), (3, 224, 224), 1000),
    "densenet121_transfer": (DenseNet121, (3, 224, 224), 2),
    "densenet121_frozen": (frozen_densenet121, (3, 224, 224), 2),
    "resnet50": (ResNet50, (3, 224, 224), 1000),
    "transformer_block": (EncoderBlock, (128, 768), 0),
}


def training(case: Case, make_other: Callable[[], nn.Module] | None = None) -> Step:
    """Return a training step with Adam, of the case's network or of another that takes the same samples."""
    inputs, labels = samples(case)
    train = trainer(case, make_other)
    return lambda: train(inputs, labels)


def samples(case: Case) -> tuple[torch.Tensor, torch.Tensor]:
    """Return random samples of the case's network and what is to come out of them."""
    _make, shape, classes = NETWORKS[case.network]
    inputs = laid_out(torch.rand(case.batch_size, *shape, device=case.device), case)
    labels = torch.randint(classes, (case.batch_size,), device=case.device) if classes else torch.randn_like(inputs)
    return inputs, labels


def laid_out(tensor_or_model: Moved, case: Case) -> Moved:
    """Return it in the order of the tutorial on channels last, where the case wants that."""
    is_last = bool(case.options.get("channels_last"))
    if not is_last:
        return tensor_or_model
    moved: Any = tensor_or_model  # the types of a module's `to` leave this argument out
    return moved.to(memory_format=torch.channels_last)


def trainer(case: Case, make_other: Callable[[], nn.Module] | None = None) -> Callable[..., object]:
    """Return what trains the network on a batch, with Adam; in mixed precision as torch's recipe has it."""
    make, _shape, classes = NETWORKS[case.network]
    model = laid_out((make_other or make)().to(case.device), case)
    optimizer = torch.optim.Adam([p for p in model.parameters() if p.requires_grad])
    criterion = nn.CrossEntropyLoss() if classes else nn.MSELoss()

    def step(inputs: torch.Tensor, labels: torch.Tensor) -> None:
        optimizer.zero_grad()
        loss = criterion(model(inputs), labels)
        loss.backward()
        optimizer.step()

    kind, dtype = case.device.split(":")[0], SHORT_DTYPES.get(str(case.options.get("autocast")))
    scaler = torch.amp.GradScaler(kind, enabled=dtype is torch.float16)

    def mixed_step(inputs: torch.Tensor, labels: torch.Tensor) -> None:
        optimizer.zero_grad()
        with torch.autocast(device_type=kind, dtype=dtype):
            loss = criterion(model(inputs), labels)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()

    return mixed_step if case.precision == "amp" else step


def inference(case: Case) -> Step:
    """Return a forward pass without gradients."""
    make, shape, _classes = NETWORKS[case.network]
    dtype = SHORT_DTYPES.get(case.precision, torch.float32)
    model = laid_out(make().to(case.device, dtype), case).eval()
    inputs = laid_out(torch.rand(case.batch_size, *shape, device=case.device, dtype=dtype), case)

    @torch.inference_mode()
    def step() -> object:
        return model(inputs)

    return step


def product(case: Case) -> Step:
    """Return a matrix product into a matrix that exists already."""
    dtype = SHORT_DTYPES.get(case.precision, torch.float32)
    left = torch.randn(case.size, case.size, device=case.device, dtype=dtype)
    right = torch.randn(case.size, case.size, device=case.device, dtype=dtype)
    out = torch.empty(case.size, case.size, device=case.device, dtype=dtype)
    return lambda: torch.matmul(left, right, out=out)


def product_on_threads(case: Case) -> Loop:
    """Return a loop of products that says itself how many threads compute them."""
    step = product(case)

    def loop(count: int) -> None:
        before = torch.get_num_threads()
        torch.set_num_threads(int(case.options["most_threads"]))
        for _ in range(count):
            step()
        torch.set_num_threads(before)

    return loop


def sustained_work(case: Case) -> Step:
    """Return the product or the training step that is kept up."""
    return product(case) if case.options["work"] == "matmul" else training(case)


def launches(case: Case) -> Loop:
    """Return a loop of the smallest operation there is, written out as torch's timer would."""
    number = torch.zeros(1, device=case.device)

    def loop(count: int) -> None:
        for _ in range(count):
            number.add_(1)

    return loop


def transfer(case: Case) -> Step:
    """Return a copy of bytes to the card or back, as torch's tutorial on pinned memory has it."""
    is_pinned = bool(case.options["pinned"])
    host = torch.zeros(case.size, dtype=torch.uint8)
    host = host.pin_memory() if is_pinned else host
    card = host.to(case.device)
    if case.options["to_device"]:
        return lambda: card.copy_(host, non_blocking=is_pinned)
    return lambda: host.copy_(card, non_blocking=is_pinned)


def bandwidth(case: Case) -> Step:
    """Return a copy, or the triad ``a = b + 3 c``."""
    a, b, c = (torch.ones(case.size, device=case.device) for _ in range(3))
    if case.options["loop"] == "copy":
        return lambda: a.copy_(b)
    return lambda: torch.add(b, c, alpha=3, out=a)


def disk_reading(_case: Case) -> Callable[[int], float]:
    """Return what reads the worker's own file and says how long that took; nothing while there is no file.

    Of another file it would say little: two files on one virtual disk were seen to differ by a third. Its pages are
    dropped from memory beforehand; that is no part of the reading, and takes 1 to 12 % as long.
    """
    buffer = bytearray(4 * 2**20)

    def read(_count: int) -> float:
        name = worker_file()
        if name is None:
            return 1.0
        with Path(name).open("rb", buffering=0) as file:
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
            start_s = time.perf_counter()
            while file.readinto(buffer):
                pass
            return time.perf_counter() - start_s

    return read


def worker_file() -> str | None:
    """Return a way to the file without a name that the worker, in this process, reads; None while there is none."""
    opened = Path(f"/proc/{os.getpid()}/fd").iterdir()
    return next((str(path) for path in opened if _target(path).endswith("(deleted)")), None)


def _target(path: Path) -> str:
    with suppress(OSError):  # closed meanwhile, as the one by which the folder is listed
        return str(path.readlink())
    return ""


class PlainPhotos(Dataset[tuple[torch.Tensor, int]]):
    """JPEG files of the worker's own making, decoded, resized, and augmented as the article does."""

    def __init__(self, files: list[bytes], edge: int, augmented: bool) -> None:
        self.files, self.edge, self.augmented = files, edge, augmented

    def __len__(self) -> int:
        return 10_000_000

    def __getitem__(self, index: int) -> tuple[torch.Tensor, int]:
        image = Image.open(io.BytesIO(self.files[index % len(self.files)])).convert("RGB")
        image = image.resize((self.edge, self.edge), Image.Resampling.BILINEAR)
        if self.augmented:
            angle, shear = math.radians(random.uniform(-20, 20)), random.uniform(-0.2, 0.2)
            zx, zy = random.uniform(0.8, 1.2), random.uniform(0.8, 1.2)
            a, b, d, e = (
                zx * math.cos(angle),
                -zy * math.sin(angle + shear),
                zx * math.sin(angle),
                zy * math.cos(angle + shear),
            )
            m = (self.edge - 1) / 2
            image = image.transform(
                image.size,
                Image.Transform.AFFINE,
                (a, b, m - a * m - b * m, d, e, m - d * m - e * m),
                Image.Resampling.BILINEAR,
            )
            if random.random() < 0.5:
                image = image.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
        return torch.from_numpy(numpy.array(image)).permute(2, 0, 1).contiguous().float().div(255), index % 2


@cache
def photo_files() -> list[bytes]:
    """Return the same files as the worker's: what is done with them is compared."""
    from advisor.worker.data.photos import make_photos

    return make_photos(32)


def photos(edge: int, augmented: bool) -> PlainPhotos:
    """Return photographs that become squares of so many pixels."""
    return PlainPhotos(photo_files(), edge, augmented)


def loading(case: Case) -> Step:
    """Return the next batch of photographs, made in this process."""
    dataset = photos(case.size, bool(case.options["augmented"]))
    batches: Iterator[object] = iter(DataLoader(dataset, batch_size=case.batch_size))
    return lambda: next(batches)


def helped_loading(case: Case, ending: ExitStack) -> Step:
    """Return the next batch of photographs, made by processes that work ahead; ``ending`` ends them.

    They are started afresh, as torch does on Windows and macOS: a copy would inherit what this process told the C
    library about memory. They end when nothing is on its way, as after the last batch of a data set: one that is ended
    before may die of it.
    """
    goes_on = [True]
    names = itertools.takewhile(lambda _index: goes_on[0], itertools.count())
    batches = iter(
        DataLoader(
            photos(case.size, bool(case.options["augmented"])),
            batch_size=case.batch_size,
            sampler=names,
            num_workers=int(case.options["workers"]),
            multiprocessing_context="spawn",
        )
    )

    def end() -> None:
        goes_on[0] = False
        for _batch in batches:
            pass

    ending.callback(end)
    return lambda: next(batches)


PROFILED_WARM_UP = 2
"""Steps before the profiler looks on."""


def profiled_training(case: Case) -> list[float]:
    """Return seconds of the steps under torch's profiler, in which photographs are loaded and trained on."""
    batches = iter(DataLoader(photos(NETWORKS[case.network][1][-1], augmented=True), batch_size=case.batch_size))
    train = trainer(case)

    def step() -> float:
        start_s = time.perf_counter()
        with record_function("load the batch"):
            inputs, labels = next(batches)
            inputs, labels = inputs.to(case.device), labels.to(case.device)
        train(inputs, labels)
        if case.device.startswith("cuda"):
            torch.cuda.synchronize()
        return time.perf_counter() - start_s

    for _ in range(PROFILED_WARM_UP):
        step()
    steps_s = []
    activities = [ProfilerActivity.CPU] + [ProfilerActivity.CUDA] * case.device.startswith("cuda")
    count = int(case.options["steps"])
    with profile(
        activities=activities,
        schedule=schedule(wait=0, warmup=1, active=count, repeat=1),
        record_shapes=True,
        profile_memory=True,
    ) as profiler:
        for _ in range(1 + count):
            steps_s.append(step())
            profiler.step()
    return steps_s[1:]


PLAIN: dict[str, Callable[[Case], Step]] = {
    "matmul": product,
    "train": training,
    "kept_memory": training,
    "sweep": training,
    "sustained": sustained_work,
    "infer": inference,
    "bandwidth": bandwidth,
    "transfer": transfer,
    "input": loading,
}
"""The plain twin of each program that repeats one step."""

PLAIN_LOOPS: dict[str, Callable[[Case], Loop]] = {"launch": launches, "threads": product_on_threads}
"""The same where more than the step belongs to the loop."""
