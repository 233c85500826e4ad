"""Which cases are compared with plain programs: one of each kind that the suites have on a device, made short."""

import sys
from collections.abc import Iterator

import msgspec
import psutil
import torch
from bench_twins import AHEAD, TURN_SAMPLES

from advisor.benchmark.planning.full_plan import Place, further_cases
from advisor.benchmark.planning.suite_plan import FULL_CPU, QUICK_CPU_ALONE, autocast_format, matmul_case, train_case
from advisor.records.base import Precision
from advisor.records.channel import WorkerDevice
from advisor.records.results.measured.measurement import Case
from advisor.worker.framework import read_framework

SAMPLES, LONG_SAMPLES, QUICK_SAMPLES = 30, 6, 1
"""Of each half of a round; cases of long steps have fewer."""
PRODUCTS, SHORT_PRODUCT = (512, 1024, 2048), 1024
SMALL_BATCHES = {
    "article_cnn": 4,
    "densenet121": 1,
    "densenet121_frozen": 1,
    "densenet121_transfer": 1,
    "fused_lstm": 4,
    "lstm_cell": 4,
    "resnet50": 1,
    "rnn_cell": 4,
    "stacked_lstm": 4,
    "transformer_block": 2,
}
"""What takes long is compared with few samples at once: the loop is the same, and so there are many pairs."""
REUSING = ("sweep", "profile", "sustained")
"""Programs about something else than the network they train: here it is a small one."""
NOT_QUICK = (*REUSING, "kept_memory")
EMULATED_BATCH = 1
HELPED_BATCH = 8
SMALL_EDGE = 1024
"""Of the products of cases that are about something else."""
ARRAY_ELEMENTS, TRANSFER_BYTES = 2**25, 2**25
DISK_SAMPLES, KEPT_SAMPLES, PROFILED_STEPS, TURNS = 5, 3, 10, 3
KEPT_UP_S = 1.0
MOST_SAMPLE_S = 0.02
"""What disturbs a computer does so for hundredths of a second and for minutes: long pairs scatter no less than short
ones, and many tell more."""

NETWORKS = {
    "article_cnn": "article's CNN",
    "densenet121": "DenseNet-121",
    "densenet121_frozen": "DenseNet-121, last layer",
    "densenet121_transfer": "DenseNet-121",
    "fused_lstm": "LSTM, nn.LSTM",
    "lstm_cell": "LSTM cell",
    "resnet50": "ResNet-50",
    "rnn_cell": "RNN cell",
    "simple_cnn": "SimpleCNN",
    "stacked_lstm": "LSTM, hand-written",
    "transformer_block": "transformer block",
}


def device_named(name: str) -> WorkerDevice:
    """Return what the worker says of a device; ends the program where torch cannot use it."""
    devices = read_framework().devices
    found = next((device for device in devices if device.name == name), None)
    if found is None:
        sys.exit(f"torch cannot use {name}; it can use {', '.join(device.name for device in devices)}.")
    return found


def cases_of(name: str) -> Iterator[tuple[str, Case]]:
    """Yield one case of each kind, with its title: as the suites have them, the large networks with few samples."""
    device = device_named(name)
    short = autocast_format(device)
    cases = [matmul_case(name, "fp32", size, QUICK_CPU_ALONE) for size in PRODUCTS]
    cases += [
        matmul_case(name, precision, SHORT_PRODUCT, FULL_CPU)
        for precision in ("tf32", *FULL_CPU.precisions)
        if precision in device.precisions
    ]
    for network in ("article_cnn", "simple_cnn"):
        cases += [
            train_case(name, network, one, QUICK_CPU_ALONE) for one in ("fp32", "tf32") if one in device.precisions
        ]
        cases += [train_case(name, network, "amp", FULL_CPU, autocast=short)] if short else []
    if short != "fp16":  # loss scaling is compared even where fp16 is emulated
        cases.append(train_case(name, "simple_cnn", "amp", FULL_CPU, autocast="fp16"))
    is_processor = name == "cpu"
    free_bytes = psutil.virtual_memory().available if is_processor else device.free_bytes or device.memory_bytes
    place = Place(device=device, free_bytes=free_bytes or 0, cores=torch.get_num_threads())
    cases += [case for case in kinds(further_cases(place)) if case.program != "disk" or sys.platform == "linux"]
    for case in cases:
        compared = small(case, device)
        yield title(compared), compared
        if case.program == "threads" and case.options["most_threads"] != 1:
            alone = msgspec.structs.replace(case, options=case.options | {"most_threads": 1})
            yield title(alone), small(alone, device)


def kinds(cases: Iterator[Case]) -> Iterator[Case]:
    """Yield the first case of each kind: those whose names differ in numbers alone are of one kind.

    Of a sweep, a profile and memory that is kept one network is enough.
    """
    seen = set()
    for case in cases:
        words = tuple(word for word in case.id.split("/") if not word.isdigit())
        kind = words[:1] if case.program in {"sweep", "profile", "kept_memory"} else words
        if kind not in seen:
            seen.add(kind)
            yield case


def quick_kinds(cases: Iterator[tuple[str, Case]]) -> Iterator[tuple[str, Case]]:
    """Yield those that differ in more than a format, a layout or a count, and whose loop no other has."""
    seen = set()
    for name, case in cases:
        kind = (case.program, case.network, case.options.get("loop"), bool(case.options.get("workers")))
        if case.program not in NOT_QUICK and (kind not in seen or (case.program, case.precision) == ("matmul", "fp32")):
            seen.add(kind)
            yield name, case


def left_out(name: str) -> Iterator[tuple[str, str]]:
    """Yield what is not compared on a device, and why."""
    device = device_named(name)
    precisions: tuple[Precision, ...] = ("bf16", "fp16")
    for precision in precisions:
        if precision not in device.precisions:
            yield f"products and networks in {precision}", f"{name} emulates it, and no suite measures that"
    if name == "cpu":
        cards = [one.name for one in read_framework().devices if one.name.startswith("cuda")]
        yield "transfer to a card and back", f"use --device {cards[0]}" if cards else "torch sees no CUDA card"
        if sys.platform != "linux":
            yield "disk", "the twin reads the worker's own file, which only Linux lets it do"
    yield "xla", "JAX's programs, not torch's"


def title(case: Case) -> str:
    """Return what a case is called in the table."""
    part = _PARTS[case.program](case)
    form = {"amp": f"amp {case.options.get('autocast')}", "fp32": ""}.get(case.precision, case.precision)
    return " ".join(filter(None, (part, form, "channels last" if case.options.get("channels_last") else "")))


def _network(case: Case) -> str:
    return NETWORKS[case.network]


def _photos(case: Case) -> str:
    helpers = case.options["workers"]
    words = ["photos", str(case.size), "augmented" if case.options["augmented"] else ""]
    words.append(f"by {helpers} process{'es' if helpers != 1 else ''}" if helpers else "")
    return " ".join(filter(None, words))


def _threads(case: Case) -> str:
    count = case.options["most_threads"]
    return f"product on {count} thread{'s' if count != 1 else ''}"


def _transfer(case: Case) -> str:
    return f"transfer {'to' if case.options['to_device'] else 'from'} card{', pinned' * bool(case.options['pinned'])}"


_PARTS = {
    "matmul": lambda case: f"product {case.size}",
    "bandwidth": lambda case: f"memory {case.options['loop']}",
    "disk": lambda _case: "disk",
    "infer": lambda case: f"{_network(case)} applied",
    "input": _photos,
    "kept_memory": lambda case: f"{_network(case)}, memory kept",
    "launch": lambda _case: "launches",
    "profile": lambda case: f"{_network(case)} profiled",
    "sustained": lambda case: f"{_network(case) if case.network else 'product'} kept up",
    "sweep": lambda case: f"{_network(case)} in a sweep",
    "threads": _threads,
    "train": _network,
    "transfer": _transfer,
}


def small(case: Case, device: WorkerDevice) -> Case:
    """Return the case with the size at which it is compared."""
    batch_size, size = SMALL_BATCHES.get(case.network, case.batch_size), case.size
    if case.precision == "amp" and case.options["autocast"] not in device.precisions:
        batch_size = EMULATED_BATCH
    if case.options.get("workers"):
        batch_size = HELPED_BATCH
    network = "simple_cnn" if case.program in REUSING and case.network else case.network
    if network != case.network:
        batch_size = 1 if case.program == "sweep" else SMALL_BATCHES["article_cnn"]
    if case.program == "threads" or (case.program == "sustained" and not case.network):
        size = SMALL_EDGE
    size = min(size, {"bandwidth": ARRAY_ELEMENTS, "transfer": TRANSFER_BYTES}.get(case.program, size))
    work = case.flop_per_iteration
    if case.flop_per_iteration and not case.network:
        work = case.flop_per_iteration * (size / case.size) ** 3
    return msgspec.structs.replace(case, network=network, batch_size=batch_size, size=size, flop_per_iteration=work)


def shortened(case: Case, samples: int) -> Case:
    """Return the case with so many samples, fewer of long steps, and no time for more."""
    options = {name: value for name, value in case.options.items() if name not in {"fewest_samples", "needs_bytes"}}
    is_quick = samples == QUICK_SAMPLES
    samples = min(samples, LONG_SAMPLES) if case.network in SMALL_BATCHES or case.options.get("autocast") else samples
    sample_s, budget_s = min(case.sample_s, MOST_SAMPLE_S), 0.5
    if case.program == "disk":  # a sample is one reading of the file, and writing that takes time as well
        samples, sample_s, budget_s = DISK_SAMPLES, 0.0, 30.0
    if case.program == "kept_memory":  # each of its samples has one without beside it, and a step before either
        samples = min(samples, KEPT_SAMPLES)
    if case.options.get("workers"):
        samples = (1 if is_quick else TURNS) * (AHEAD + TURN_SAMPLES)
    if case.program == "profile":
        options["steps"] = 1 if is_quick else PROFILED_STEPS
    if case.program == "sweep":
        options["most_samples"] = 1
    if case.program == "sustained":
        duration_s = options["duration_s"] = KEPT_UP_S / 10 if is_quick else KEPT_UP_S
        sample_s = duration_s / 10  # as long as a sample of the worker's
    return msgspec.structs.replace(case, min_samples=samples, budget_s=budget_s, sample_s=sample_s, options=options)
