"""What the full suite measures beside the products and the articles' CNN: every other case of the articles. Pure.

Its order: what the machine is made of (memory, link, disk, cores), networks, then what takes long.
"""

import math
from collections.abc import Iterator

from advisor.benchmark.planning.case_work import ELEMENT_BYTES, matmul_bytes, matmul_flop
from advisor.benchmark.planning.network_work import NETWORK_WORK
from advisor.records.base import Precision, Record
from advisor.records.channel import WorkerDevice
from advisor.records.results.measured.measurement import Case

ARRAY_BYTES = 256 * 1024**2
"""Of each array of the bandwidth loops, at least four times all caches, at most a sixteenth of the free memory.

Source: STREAM, "What size": each array at least four times the sum of the last-level caches.
"""
ARRAY_RATIO = 1 / 16
FILE_BYTES = 256 * 1024**2
TRANSFER_BYTES = 256 * 1024**2
THREADS_EDGE = 2048
MOST_LOADERS = 16
"""Processes that prepare images, at most."""
DENSENET_IMAGES, DENSENET_EPOCHS = 8_005, 20
"""The study's.

Source: "Evaluando el rendimiento de CPU y GPU en el aprendizaje profundo", section on the details of the experiment.
"""
SUSTAINED_S = 60.0
_SHORT: tuple[Precision, ...] = ("fp16", "bf16")
_LONG_STEPS = 3  # samples of a case whose single step takes seconds


class Place(Record, frozen=True, kw_only=True):
    """Where cases are to run.

    Attributes:
        device: What the worker said of it.
        free_bytes: Memory that cases may count on; infinite where the device does not say.
        cores: Of the host, that may be used.
        threads: Of torch; None leaves it to torch.
        caches_bytes: All caches of the processor together.
        is_alone: There is no accelerator; the processor is what trains.
    """

    device: WorkerDevice
    free_bytes: float
    cores: int = 1
    threads: int | None = None
    caches_bytes: int = 0
    is_alone: bool = True

    @property
    def is_processor(self) -> bool:
        """Whether this is the host's processor."""
        return self.device.name == "cpu"


def further_cases(place: Place) -> Iterator[Case]:
    """Yield the cases of a device that only the full suite has."""
    yield from part_cases(place)
    yield from _recurrent(place)
    yield from _densenet(place)
    yield from _modern(place)
    yield from _sweeps(place)
    yield from _profiles(place)
    yield from _kept_memory(place)
    yield from _sustained(place)


def xla_cases() -> Iterator[Case]:
    """Yield the cases of whatever JAX finds, a TPU for one; refused where JAX is not installed."""
    edge, batch_size = 2048, 32
    yield Case(
        id=f"xla_matmul/fp32/{edge}/xla:0",
        program="xla_matmul",
        device="xla:0",
        size=edge,
        flop_per_iteration=matmul_flop(edge),
        bytes_per_iteration=matmul_bytes(edge, "fp32"),
        budget_s=4.0,
        timeout_s=180.0,
    )
    yield Case(
        id=f"xla_train/article_cnn/fp32/{batch_size}/xla:0",
        program="xla_train",
        device="xla:0",
        network="article_cnn",
        batch_size=batch_size,
        flop_per_iteration=batch_size * NETWORK_WORK["article_cnn"].train_flop,
        bytes_per_iteration=NETWORK_WORK["article_cnn"].train_bytes,
        budget_s=6.0,
        timeout_s=240.0,
    )


def _case(place: Place, program: str, *labels: object, budget_s: float, **fields: object) -> Case:
    """Return a case of this place, its id made of the labels."""
    known: dict[str, object] = {
        "id": "/".join((program, *map(str, labels), place.device.name)),
        "program": program,
        "device": place.device.name,
        "threads": place.threads,
        "budget_s": budget_s,
        "timeout_s": 90.0 + 6 * budget_s,
    }
    if program in {"train", "infer"}:
        fields = fields | {"options": {"fewest_samples": 1} | fields["options"]}  # type: ignore[operator]
    return Case(**(known | fields))  # type: ignore[arg-type]


def part_cases(place: Place) -> Iterator[Case]:
    """Yield the short cases of what a device is made of: memory, launches, and its link or the host's parts."""
    elements = bandwidth_elements(place)
    for loop, arrays in (("copy", 2), ("triad", 3)):
        moved = float(arrays * elements * ELEMENT_BYTES["fp32"])
        options: dict[str, object] = {"loop": loop, "needs_bytes": moved}
        yield _case(place, "bandwidth", loop, budget_s=3.0, size=elements, bytes_per_iteration=moved, options=options)
    yield _case(place, "launch", budget_s=1.0)
    if place.is_processor:
        yield from _host_parts(place)
    else:
        yield from _link(place)


def bandwidth_elements(place: Place) -> int:
    """Return how many numbers each array of the bandwidth loops has."""
    size_bytes = max(ARRAY_BYTES, 4 * place.caches_bytes) if place.is_processor else 4 * ARRAY_BYTES
    return int(min(size_bytes, place.free_bytes * ARRAY_RATIO)) // ELEMENT_BYTES["fp32"]


def _host_parts(place: Place) -> Iterator[Case]:
    yield _case(
        place,
        "threads",
        THREADS_EDGE,
        budget_s=6.0,
        size=THREADS_EDGE,
        threads=None,
        flop_per_iteration=matmul_flop(THREADS_EDGE),
        bytes_per_iteration=matmul_bytes(THREADS_EDGE, "fp32"),
        options={"most_threads": place.cores},
    )
    yield _case(place, "disk", budget_s=6.0, size=FILE_BYTES, bytes_per_iteration=float(FILE_BYTES), min_samples=5)
    helpers = loader_counts(place.cores)
    plans = [(edge, False, 0) for edge in (150, 224)]
    plans += [(edge, True, workers) for edge in (150, 224) for workers in helpers if edge == 150 or workers]
    for edge, is_augmented, workers in plans:
        yield _case(
            place,
            "input",
            edge,
            "augmented" if is_augmented else "plain",
            f"workers{workers}",
            budget_s=5.0,
            size=edge,
            batch_size=32,
            threads=1,  # as torch gives each process that helps; else 0 and 1 processes would not compare
            options={"workers": workers, "augmented": is_augmented},
        )


def loader_counts(cores: int) -> tuple[int, ...]:
    """Return 0, 1, 2, 4, … processes, the last of them the cores that may be used."""
    most = max(1, min(cores, MOST_LOADERS))
    return (0, *(count for count in (1, 2, 4, 8) if count < most), most)


def _link(place: Place) -> Iterator[Case]:
    for to_device in (True, False):
        for is_pinned in (True, False):
            yield _case(
                place,
                "transfer",
                "to" if to_device else "from",
                "pinned" if is_pinned else "pageable",
                budget_s=1.0,
                size=TRANSFER_BYTES,
                bytes_per_iteration=float(TRANSFER_BYTES),
                options={"to_device": to_device, "pinned": is_pinned, "needs_bytes": float(TRANSFER_BYTES)},
            )


def _train(
    place: Place,
    network: str,
    batch_size: int,
    budget_s: float,
    *,
    precision: Precision = "fp32",
    autocast: Precision | None = None,
    channels_last: bool = False,
    epoch: dict[str, object] | None = None,
    min_samples: int = 5,
) -> Case:
    work = NETWORK_WORK[network]
    options: dict[str, object] = {"needs_bytes": work.needs_bytes(batch_size)} | (epoch or {})
    options |= {"autocast": autocast} if autocast else {}
    options |= {"channels_last": True} if channels_last else {}
    labels = [network, f"{precision}-{autocast}" if autocast else precision, batch_size]
    return _case(
        place,
        "train",
        *labels,
        *(["channels_last"] if channels_last else []),
        budget_s=budget_s,
        network=network,
        precision=precision,
        batch_size=batch_size,
        min_samples=min_samples,
        flop_per_iteration=batch_size * work.train_flop,
        bytes_per_iteration=work.train_bytes,
        options=options,
    )


def _infer(
    place: Place, network: str, batch_size: int, precision: Precision, budget_s: float, *, channels_last: bool = False
) -> Case:
    work = NETWORK_WORK[network]
    return _case(
        place,
        "infer",
        network,
        precision,
        batch_size,
        *(["channels_last"] if channels_last else []),
        budget_s=budget_s,
        network=network,
        precision=precision,
        batch_size=batch_size,
        min_samples=5,
        flop_per_iteration=batch_size * work.infer_flop,
        bytes_per_iteration=float(work.parameters * ELEMENT_BYTES[precision]),
        options={"channels_last": True} if channels_last else {},
    )


def _recurrent(place: Place) -> Iterator[Case]:
    for network in ("rnn_cell", "lstm_cell", "stacked_lstm", "fused_lstm"):
        yield _train(place, network, 32, 3.0, min_samples=_LONG_STEPS)


def _densenet(place: Place) -> Iterator[Case]:
    """Yield the study's cases; on a processor smaller batches come first and tell whether its own take too long."""
    epoch: dict[str, object] = {"epoch_items": DENSENET_IMAGES, "epochs": DENSENET_EPOCHS}
    sizes = ((4, 8.0), (16, 14.0), (64, 22.0), (128, 22.0)) if place.is_processor else ((64, 4.0), (128, 4.0))
    for network in ("densenet121_transfer", "densenet121_frozen"):
        for batch_size, budget_s in sizes:
            if network == "densenet121_transfer" or batch_size >= 64 or place.is_processor:
                ratio = 1.0 if network == "densenet121_transfer" else 0.5
                yield _train(place, network, batch_size, ratio * budget_s, epoch=epoch, min_samples=_LONG_STEPS)
    if not place.is_processor and (short := _autocast(place)):
        for batch_size, budget_s in sizes:
            yield _train(
                place, "densenet121_transfer", batch_size, budget_s, precision="amp", autocast=short[-1], epoch=epoch
            )
    for batch_size in (1, 32):
        yield _infer(place, "densenet121", batch_size, "fp32", 8.0 if place.is_processor else 2.0)


def _modern(place: Place) -> Iterator[Case]:
    """Yield ResNet-50 and the transformer block, trained and applied, in every format and both layouts of images."""
    batch_size, train_s, infer_s = (8, 7.0, 3.0) if place.is_processor else (64, 2.0, 1.0)
    for network, layouts in (("resnet50", (False, True)), ("transformer_block", (False,))):
        for precision, autocast in _training_formats(place):
            for layout in layouts:
                yield _train(
                    place,
                    network,
                    batch_size,
                    train_s,
                    precision=precision,
                    autocast=autocast,
                    channels_last=layout,
                    min_samples=_LONG_STEPS if place.is_processor else 5,
                )
        for precision in ("fp32", "tf32", *_SHORT):
            if precision in place.device.precisions:
                for layout in layouts:
                    yield _infer(place, network, batch_size, precision, infer_s, channels_last=layout)


def _training_formats(place: Place) -> Iterator[tuple[Precision, Precision | None]]:
    yield "fp32", None
    if "tf32" in place.device.precisions:
        yield "tf32", None
    for short in _autocast(place):
        yield "amp", short


def _autocast(place: Place) -> tuple[Precision, ...]:
    """Return the short formats of mixed precision: all of an accelerator's, one of a processor's."""
    known = tuple(precision for precision in _SHORT if precision in place.device.precisions)
    return known[-1:] if place.is_processor else known


def _sweeps(place: Place) -> Iterator[Case]:
    """Yield the search for the best batch; the device's memory or the time ends it."""
    budgets = (
        (("article_cnn", 20.0),) if place.is_processor else (("article_cnn", 10.0), ("densenet121_transfer", 15.0))
    )
    for network, budget_s in budgets:
        work = NETWORK_WORK[network]
        options: dict[str, object] = {"fixed_bytes": work.needs_bytes(0), "bytes_per_sample": work.saved_bytes}
        options |= {} if math.isinf(place.free_bytes) else {"limit_bytes": place.free_bytes}
        yield _case(place, "sweep", network, "fp32", budget_s=budget_s, network=network, min_samples=3, options=options)


def _profiles(place: Place) -> Iterator[Case]:
    for network, batch_size in (("article_cnn", 32), ("densenet121_transfer", 4 if place.is_processor else 64)):
        yield _case(
            place,
            "profile",
            network,
            "fp32",
            batch_size,
            budget_s=10.0,
            network=network,
            batch_size=batch_size,
            flop_per_iteration=batch_size * NETWORK_WORK[network].train_flop,
            bytes_per_iteration=NETWORK_WORK[network].train_bytes,
            options={"needs_bytes": NETWORK_WORK[network].needs_bytes(batch_size)},
        )


def _kept_memory(place: Place) -> Iterator[Case]:
    """Yield what page faults cost where the processor is what trains."""
    if not place.is_processor or not place.is_alone:
        return
    work, batch_size = NETWORK_WORK["article_cnn"], 32
    yield _case(
        place,
        "kept_memory",
        "article_cnn",
        "fp32",
        batch_size,
        budget_s=10.0,
        network="article_cnn",
        batch_size=batch_size,
        min_samples=_LONG_STEPS,
        flop_per_iteration=batch_size * work.train_flop,
        bytes_per_iteration=work.train_bytes,
        options={"needs_bytes": work.needs_bytes(batch_size)},
    )


def _sustained(place: Place) -> Iterator[Case]:
    """Yield the long runs; beside an accelerator the processor is spared them."""
    if place.is_processor and not place.is_alone:
        return
    edge = 4096
    options: dict[str, object] = {"duration_s": SUSTAINED_S, "work": "matmul"}
    yield _case(
        place,
        "sustained",
        "matmul",
        edge,
        budget_s=SUSTAINED_S + 2,
        size=edge,
        flop_per_iteration=matmul_flop(edge),
        options=options,
    )
    yield _case(
        place,
        "sustained",
        "article_cnn",
        32,
        budget_s=SUSTAINED_S + 2,
        network="article_cnn",
        batch_size=32,
        flop_per_iteration=32 * NETWORK_WORK["article_cnn"].train_flop,
        options=options | {"work": "train"},
    )
