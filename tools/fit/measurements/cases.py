"""Measured cases from the folder of public measurements, each joined with a network and a device of the catalogue.

A case is skipped when the catalogue has no such network or device; ``report_skipped`` says how many and which.
"""

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

import msgspec
from fit.constants.model import Case
from fit.measurements.tables import extras, number, rows
from fit.measurements.transformer import TransformerShape, transformer_network

from advisor.catalog import find_device
from advisor.catalog.networks.attention import decompose
from advisor.catalog.networks.tables import network, network_index, timm_names
from advisor.catalog.workloads import FUSED_SINCE
from advisor.errors import AdvisorError
from advisor.predict.coefficients import link_coefficients
from advisor.predict.scaling import communication_s
from advisor.predict.timing.device_rates import peaks
from advisor.predict.timing.kernels import HALF, TF32, VECTOR
from advisor.predict.timing.step_work import product_network, trained_parameters
from advisor.records.base import Precision
from advisor.records.hardware.device import Device
from advisor.records.job.work import Network, Operation
from advisor.records.job.workload import Workload

TRACED = Path(__file__).resolve().parents[3] / "build" / "timm_tables.jsonl"
"""Tables of further timm models, made by ``tools/fit/trace_timm.py``; used where they are, before those shipped."""

SKIPPED: Counter[str] = Counter()

CNN_BENCHMARKS = {
    "alexnet": "alexnet",
    "inception-v1": "googlenet",
    "resnet-18": "resnet18",
    "resnet-34": "resnet34",
    "resnet-50": "resnet50",
    "resnet-101": "resnet101",
    "resnet-152": "resnet152",
    "resnet-200": "resnet200",
    "vgg-16": "vgg16",
    "vgg-19": "vgg19",
}
NEUSIGHT = {
    "bert_large": "bert_large_pretraining",
    "gpt2_large": "gpt2_large",
    "gpt3_27": "gpt3_2.7b",
    "gpt3_xl": "gpt3_xl",
    "opt_13": "opt_1.3b",
}
LAMBDA = {
    "resnet50": ("resnet50", None, "sgd"),
    "ssd": ("ssd300", None, "sgd"),
    "bert_base_squad": ("bert_base", 384, "adamw"),
    "bert_large_squad": ("bert_large", 384, "adamw"),
    "gnmt": ("gnmt", None, "adam"),
    "maskrcnn": ("mask_rcnn", None, "sgd"),
    "tacotron2": ("tacotron2", None, "adam"),
    "transformerxlbase": ("transformerxl_base", None, "adam"),
    "transformerxllarge": ("transformerxl_large", None, "adam"),
    "waveglow": ("waveglow", None, "adam"),
}
MISPRINTED = frozenset({("RTX 3080 Max-Q", "tacotron2")})
"""Rows of Lambda's whose batch cannot be: faster with 2 samples than the RTX 3080 with 24."""
APEX = ("bert_base_squad", "bert_large_squad")
"""Tasks of NVIDIA's run_squad.py: in fp16 apex's O2 (all tensors in 16 bit) and a fused optimizer, else BertAdam, unfused."""
FRAMEWORK_YEARS = {"ngc20": 2020, "ngc22": 2022, "ngc24": 2024}
"""Of the frameworks in the containers of Lambda's program."""
KNOWN_SAMPLES = frozenset({"resnet50", "ssd", "bert_base_squad", "bert_large_squad", "maskrcnn"})
"""Tasks whose unit is our sample; of the others the length of a sample is not published."""


@cache
def known_names() -> frozenset[str]:
    """Return the names of the networks of the catalogue."""
    return frozenset(entry.name for entry in network_index())


@cache
def device(chip: str) -> Device | None:
    """Return the device of a chip key, or None."""
    try:
        found = find_device(chip) if chip else None
    except AdvisorError:
        found = None
    if found is None or found.bandwidth_bytes_per_s is None or not found.peak_flop_per_s:
        SKIPPED[f"device {chip}"] += 1
        return None
    return found


@cache
def table(name: str, **size: Any) -> Network | None:
    """Return the table of a network at a size, or None."""
    if name not in known_names():
        SKIPPED[f"network {name}"] += 1
        return None
    return network(name, **size)


def workload(name: str, **others: Any) -> Workload:
    """Return a workload with what matters to time."""
    return Workload(id=name, title=name, network=name, samples=1, **others)


def transformers(folder: Path, *, fused: bool = False) -> Iterator[Case]:
    """Yield NeuSight's transformers, measured with attention taken apart; ``fused``: predicted as people run them."""
    for row in rows(folder, "transformers_fp32_neusight"):
        found = device(row["chip"])
        name = NEUSIGHT.get(row["model"])
        is_plain = row["metric"] == "e2e_latency_ms" and row["n_devices"] == "1" and "option=none" in row["extra"]
        if not is_plain or found is None or name is None:
            continue
        net = table(name, sequence_length=int(float(row["image_or_seq"])), attention=None if fused else "decomposed")
        if net is not None:
            yield Case(
                source="neusight_fused" if fused else "neusight",
                network=net,
                workload=workload(
                    name,
                    task=row["task"],
                    batch_size=int(float(row["batch_size"])),
                    optimizer="none",
                    attention="decomposed",
                    framework_year=int(row["year"]),
                ),
                device=found,
                time_s=float(row["value"]) * 1e-3,
                model=row["model"],
                weight=0.6 if fused else 2.0,
            )


def ryujaehun(folder: Path) -> Iterator[Case]:
    """Yield image models on four devices, batch 12, no optimizer; on the A100 fp32 means TF32."""
    for row in rows(folder, "image_models_ryujaehun"):
        found, net = device(row["chip"]), table(row["model"])
        if row["n_devices"] != "1" or found is None or net is None:
            continue
        precision = "tf32" if row["precision"] == "fp32" and "A100" in found.name else row["precision"]
        yield Case(
            source="ryujaehun",
            network=net,
            workload=workload(
                net.name,
                task=row["task"],
                batch_size=12,
                precision=precision,
                optimizer="none",
                framework_year=int(row["year"]),
            ),
            device=found,
            time_s=float(row["value"]) * 1e-3,
            model=net.name,
            software="torch1",
            machine=f"ryujaehun/{extras(row)['dir']}",
            copied_bytes=12 * 3 * 224**2 * (2.0 if precision == "fp16" else 4.0),
            weight=0.7,
        )


def old_images(folder: Path) -> Iterator[Case]:
    """Yield image models of cnn-benchmarks (torch 7, cuDNN 5) and u39kun (PyTorch 0.3 and 1.0), batch 16."""
    for row in rows(folder, "image_models_cnn_benchmarks"):
        found, net = device(row["chip"]), table(CNN_BENCHMARKS.get(row["model"], row["model"]))
        if "cudnn=5" in row["framework"] and row["metric"] in ("forward_ms", "total_ms") and found and net:
            yield _old("cnn_benchmarks", row, found, net, "torch7")
    for row in rows(folder, "image_models_u39kun"):
        found, net = device(row["chip"]), table(row["model"])
        if row["framework"].lower().startswith("pytorch") and found and net:
            yield _old("u39kun", row, found, net, "torch1")


def _old(source: str, row: dict[str, str], found: Device, net: Network, software: str) -> Case:
    return Case(
        source=source,
        network=net,
        workload=workload(
            net.name,
            task=row["task"],
            batch_size=int(float(row["batch_size"])),
            precision=row["precision"],
            optimizer="none",
            framework_year=int(row["year"]),
        ),
        device=found,
        time_s=float(row["value"]) * 1e-3,
        model=net.name,
        software=software,
        machine=f"{source}/{found.name}",
        weight=0.7,
    )


def _photo_bytes(net: Network, batch: int) -> float:
    """Return what a step without prefetching first copies to the device: photos as 32-bit numbers of three colours."""
    return 0.0 if net.image_size is None else batch * 3 * 4.0 * net.image_size**2


def lambda_training(folder: Path) -> Iterator[Case]:
    """Yield Lambda's single-card training, the median of equal machines; batch sizes of v2 are those of v1."""
    values: dict[tuple[str, str, str, str], list[tuple[float, float | None]]] = defaultdict(list)
    for row in (*rows(folder, "training_throughput_lambda"), *rows(folder, "training_throughput_lambda_more")):
        if row["n_devices"] == "1" and row["model"] in LAMBDA and float(row["value"]) > 0:
            key = (row["chip"], row["framework"], row["model"], row["precision"])
            values[key].append((float(row["value"]), number(row["batch_size"]) or None))
    usual = {
        (model, precision): b
        for (chip, _, model, precision), found in values.items()
        for _, b in found
        if b and chip == "H100 SXM"
    }
    for (chip, framework, model, precision), found in values.items():
        case = _lambda_case(chip, framework, model, precision, found, usual)
        if case is not None:
            yield case


def _lambda_case(chip: str, framework: str, model: str, precision: str, found: Any, usual: Any) -> Case | None:
    card = None if (chip, model) in MISPRINTED else device(chip)
    name, sequence, optimizer = LAMBDA[model]
    size = {"sequence_length": sequence, "attention": "decomposed"} if sequence else {}
    net = table(name, **size)
    batch = next((b for _, b in found if b), usual.get((model, precision)))
    if card is None or net is None or batch is None:
        return None
    plain: Precision = "tf32" if "tf32" in card.peak_flop_per_s else "fp32"
    short: Precision = "fp16" if model in APEX else "amp"
    software = "ngc24" if "24.10" in framework else "ngc22" if "v1" in framework else "ngc20"
    return Case(
        source="lambda",
        network=net,
        workload=workload(
            name,
            batch_size=int(batch),
            precision=short if precision == "fp16" else plain,
            optimizer=optimizer,
            fused_optimizer=precision == "fp16" if model in APEX else None,
            channels_last=model == "resnet50" and precision == "fp16",
            attention=net.attention,
            framework_year=FRAMEWORK_YEARS[software],
        ),
        device=card,
        time_s=batch / median(value for value, _ in found),
        model=f"{model}/{precision}",
        software=software,
        scale="" if model in KNOWN_SAMPLES else model,
        copied_bytes=_photo_bytes(net, int(batch)),
        weight=1.2,
    )


PYCLS = {"ResNeXt-50": "resnext50_32x4d", "ResNeXt-101": "resnext101_32x4d", "ResNeXt-152": "resnext152_32x4d"}
IMAGENET_IMAGES = 1_281_167
WAITING_RATIO = 1.06
"""Eight cards wait for the slowest: the constant of scaling over them, see ``links.json``."""


def pycls_name(model: str) -> str:
    """Return the catalogue's name of a network of pycls, such as ``regnetx_032`` for RegNetX-3.2GF."""
    match = re.fullmatch(r"RegNet([XY])-([\d.]+)(MF|GF)", model)
    if match:
        giga = float(match[2]) * (1.0 if match[3] == "GF" else 1e-3)
        return f"regnet{match[1].lower()}_{round(giga * 10):03d}"
    return PYCLS.get(model, model.lower().replace("-b", "_b").replace("-", ""))


def pycls(folder: Path) -> Iterator[Case]:
    """Yield ImageNet training on eight V100s, as the time of a step of one card, and inference of 64 images."""
    for row in rows(folder, "imagenet_hours_pycls"):
        found, net = device(row["chip"]), table(pycls_name(row["model"]))
        if found is None or net is None:
            continue
        batch, trains = int(float(row["batch_size"])) // int(row["n_devices"]), row["task"] == "train"
        steps = 100 * IMAGENET_IMAGES / float(row["batch_size"])
        yield Case(
            source="pycls" if trains else "pycls_infer",
            network=net,
            workload=workload(
                net.name,
                task=row["task"],
                batch_size=batch,
                optimizer="sgd" if trains else "none",
                framework_year=int(row["year"]),
            ),
            device=found,
            time_s=float(row["value"]) * 3600 / steps / WAITING_RATIO if trains else float(row["value"]) * 1e-3,
            model=row["model"],
            software="pycls",
            machine="pycls",
            weight=0.8,
        )


MPT = {
    "MPT-125m": (768, 12, 12),
    "MPT-350m": (1024, 16, 24),
    "MPT-760m": (1536, 12, 24),
    "MPT-1b": (2048, 16, 24),
    "MPT-3b": (2560, 20, 32),
    "MPT-7b": (4096, 32, 32),
    "MPT-13b": (5120, 40, 40),
    "MPT-30b": (7168, 56, 48),
    "MPT-70b": (8192, 64, 80),
}
"""(hidden, heads, layers). Source: mosaicml/llm-foundry, scripts/train/benchmarking (read 2026-11-21)."""


@cache
def mpt(model: str, sequence: int) -> Network:
    """Return the table of an MPT model."""
    hidden, heads, layers = MPT[model]
    shape = TransformerShape(
        layers=layers,
        hidden=hidden,
        heads=heads,
        sequence=sequence,
        vocabulary=50368,
        bias=False,
        positions=sequence,
    )
    return transformer_network(model, shape)


def exchange_s(case: Case, time_s: float) -> float:
    """Return how long the devices of a step of ``time_s`` wait for each other."""
    payload = 2.0 * trained_parameters(case.network, "full")
    return communication_s(time_s, payload, case.device, case.count, link_coefficients(), sharded=True)


def foundry_alone(folder: Path) -> Iterator[Case]:
    """Yield LLM training on one node, each with the time that a device takes by itself."""
    for case in foundry(folder, nodes=False):
        step_s = alone_s = case.time_s * case.parts
        for _ in range(5):  # the exchange hides behind the step, so that it depends on it
            alone_s = step_s - exchange_s(case, alone_s)
        yield replace(case, time_s=max(alone_s, 0.5 * step_s) / case.parts)


def foundry(folder: Path, *, nodes: bool = True) -> Iterator[Case]:
    """Yield LLM training on A100s: the time of one micro-batch; ``nodes``: also on more than one node of eight."""
    for row in rows(folder, "llm_training_foundry"):
        found, extra = device(row["chip"]), extras(row)
        count = int(row["n_devices"])
        if found is None or (count > 8 and not nodes):
            continue
        sequence, parts = int(row["image_or_seq"]), int(extra["grad_accum"])
        yield Case(
            source="llm_foundry",
            network=mpt(row["model"], sequence),
            workload=workload(
                row["model"],
                batch_size=int(extra["micro_bs"]),
                precision="bf16",
                optimizer="adamw",
                checkpointing=extra["act_ckpt"] == "True",
                framework_year=int(row["year"]),
            ),
            device=found,
            time_s=float(row["batch_size"]) * sequence / float(row["value"]) / parts,
            model=row["model"],
            software="composer",
            weight=0.8,
            count=count,
            parts=parts,
        )


def timm(folder: Path, task: str, *, count: int | None = None, seed: int = 0) -> Iterator[Case]:
    """Yield timm models on the RTX 3090, automatic mixed precision.

    Tables hold fused attention; where it was measured before that came, it is taken apart.
    """
    found = device("RTX 3090")
    cases = []
    for row in rows(folder, "image_models_timm"):
        size, batch = number(row["image_or_seq"]), number(row["batch_size"])
        if row["task"] != task or row["chip"] != "RTX 3090" or not number(row["value"]) or not size or not batch:
            continue
        net = timm_network(row["model"].split(".")[0], int(size))
        if net is None or found is None or not is_measured_model(net, row):
            continue
        if net.attention == "fused" and int(row["year"]) < FUSED_SINCE:
            net = decompose(net)
        cases.append(
            Case(
                source=f"timm_{task}",
                network=net,
                workload=workload(
                    net.name,
                    task=task,
                    batch_size=int(batch),
                    precision="amp",
                    optimizer="sgd",
                    channels_last="nhwc" in row["framework"],
                    framework_year=int(row["year"]),
                ),
                device=found,
                time_s=batch / float(row["value"]),
                model=net.name,
                machine=f"timm/{task}",
                weight=0.6,
            )
        )
    yield from cases if count is None or count >= len(cases) else random.Random(seed).sample(cases, count)


def is_measured_model(net: Network, row: dict[str, str]) -> bool:
    """Return whether the traced model is the one that was measured: timm gave some names to other models later."""
    published = number(row["param_count_M"])
    return published is None or abs(net.parameters / 1e6 - published) < 0.02 * published


def timm_processor(folder: Path, *, count: int | None = None, seed: int = 1) -> Iterator[Case]:
    """Yield timm models on a Core i9-10940X: inference of single images, compiled."""
    found, cases = device("Core i9-10940X"), []
    for row in rows(folder, "image_models_timm"):
        size = number(row["image_or_seq"])
        if row["chip"] != "Core i9-10940X" or "2.4" not in row["framework"] or not size or not number(row["value"]):
            continue
        net = timm_network(row["model"].split(".")[0], int(size))
        if net is not None and found is not None and is_measured_model(net, row):
            cases.append(
                Case(
                    source="timm_processor",
                    network=net,
                    workload=workload(net.name, task="infer", batch_size=1),
                    device=found,
                    time_s=1.0 / float(row["value"]),
                    model=net.name,
                    software="compiled",
                )
            )
    yield from cases if count is None or count >= len(cases) else random.Random(seed).sample(cases, count)


def traced_key(name: str, edge: int) -> str:
    """Return the name of a further table: of a model of timm at an image edge."""
    return f"{name}@{edge}"


@cache
def timm_tables() -> dict[str, Network]:
    """Return the further tables of timm models by ``traced_key``, where they were made; named as the model is."""
    if not TRACED.exists():
        return {}
    lines = TRACED.read_bytes().splitlines()
    found = [msgspec.json.decode(line, type=Network) for line in lines if line.endswith(b"}")]
    return {net.name: msgspec.structs.replace(net, name=net.name.partition("@")[0]) for net in found}


TIMM_NAMES = {
    "vit_base_patch16_224": "vit_base",
    "vit_small_patch16_224": "vit_small",
    "mobilenetv2_100": "mobilenet_v2",
    "mobilenetv3_large_100": "mobilenet_v3_large",
    "mobilenetv3_small_100": "mobilenet_v3_small",
}


def timm_network(name: str, size: int) -> Network | None:
    """Return the table of a model of timm at an image edge: the catalogue's, else the traced one; None: neither."""
    own = TIMM_NAMES.get(name, name)
    if own in known_names():
        try:
            return table(own, image_size=size)
        except AdvisorError:
            return None
    return timm_tables().get(traced_key(name, size)) or packed_network(name, size)


@cache
def packed_network(name: str, size: int) -> Network | None:
    """Return the table of a model of timm that is shipped, if its usual edge is this one."""
    found = network(name) if name in timm_names() else None
    return None if found is None or found.image_size != size else found


def _passes(name: str, kind: Any, elements: int, tensors: int) -> Network:
    operation = Operation(
        kind=kind,
        phase="forward",
        operator=name,
        shape=(elements, 1),
        flop_fixed=float(elements),
        bytes_fixed=4.0 * tensors * elements,
    )
    return Network(
        name=name, family="kernel", parameters=0, trainable_parameters=0, sample="row", operations=(operation,)
    )


def _kernel_case(source: str, net: Network, found: Device, time_s: float, weight: float, model: str) -> Case:
    return Case(
        source=source,
        network=net,
        workload=workload(net.name, task="infer", batch_size=1),
        device=found,
        time_s=time_s,
        software="kernel",
        overhead=True,
        weight=weight,
        model=model,
    )


def _by_chip(folder: Path, name: str, count: int | None, seed: int) -> Iterator[tuple[Device, dict[str, str]]]:
    found: dict[str, list[dict[str, str]]] = defaultdict(list)
    for row in rows(folder, name):
        found[row["chip"]].append(row)
    pick = random.Random(seed)
    for chip, members in found.items():
        card = device(chip)
        if card is not None:
            chosen = members if count is None or count >= len(members) else pick.sample(members, count)
            yield from ((card, row) for row in chosen)


def products(folder: Path, *, count: int | None = None, seed: int = 0) -> Iterator[Case]:
    """Yield NeuSight's fp32 products; the file's N is the reduction, its K the columns of the result."""
    for card, row in _by_chip(folder, "kernels_gemm_neusight", count, seed):
        kind, *sizes = re.match(r"(\w+?)_B(\d+)_M(\d+)_N(\d+)_K(\d+)", row["model"]).groups()  # type: ignore[union-attr]
        batch, m, reduction, columns = (int(size) for size in sizes)
        if kind != "bmm":
            batch, m = 1, m * batch
        net = product_network(m, columns, reduction, batch=batch, name=row["model"])
        yield _kernel_case("gemm", net, card, float(row["value"]) * 1e-3, 0.5, kind)


ELEMENTWISE = {
    "add": ("elementwise", 3),
    "mul": ("elementwise", 3),
    "div": ("elementwise", 3),
    "relu": ("elementwise", 2),
    "gelu": ("elementwise", 2),
    "tanh": ("elementwise", 2),
    "ln": ("normalization", 2),
    "softmax": ("softmax", 2),
}


def passes(folder: Path, *, count: int | None = None, seed: int = 0) -> Iterator[Case]:
    """Yield NeuSight's elementwise operations, norms and softmax."""
    for card, row in _by_chip(folder, "kernels_elementwise_neusight", count, seed):
        name, rows_, width = re.match(r"(\w+?)_B(\d+)_H(\d+)", row["model"]).groups()  # type: ignore[union-attr]
        if name in ELEMENTWISE:
            kind, tensors = ELEMENTWISE[name]
            net = _passes(name, kind, int(rows_) * int(width), tensors)
            yield _kernel_case("elementwise", net, card, float(row["value"]) * 1e-3, 0.5, name)


_MODE_OF = {"fp32": VECTOR, "tf32": TF32, "fp16": HALF, "bf16": HALF}
LARGE_PRODUCT = 8192
"""Edge of a product that is as good as the best of those between 1,024 and 10,240 that were tried."""


def best_products(folder: Path) -> Iterator[Case]:
    """Yield the best rate of products on each device in each kind of arithmetic, as the time of a large one."""
    net = product_network(LARGE_PRODUCT, LARGE_PRODUCT, LARGE_PRODUCT)
    for (chip, mode), rate in best_rates(folder).items():
        card = device(chip)
        if card is None or not peaks(card)[mode]:
            continue
        precision: Precision = ("fp32", "tf32", "bf16")[mode]
        case = _kernel_case("best_gemm", net, card, 2.0 * LARGE_PRODUCT**3 / rate, 0.7, "mm")
        yield replace(case, workload=msgspec.structs.replace(case.workload, precision=precision), is_best=True)


def best_rates(folder: Path) -> dict[tuple[str, int], float]:
    """Return the best rate of products (FLOP/s) by chip and mode: the median of those who measured one.

    Of the 16-bit formats the faster counts: older units have no bfloat16.
    """
    found: dict[tuple[str, str], list[float]] = defaultdict(list)
    for row in (*rows(folder, "gemm_rates_torch"), *rows(folder, "best_gemm_tflops")):
        if row["precision"] in _MODE_OF and float(row["value"]) > 0:
            found[row["chip"], row["precision"]].append(float(row["value"]) * 1e12)
    rates: dict[tuple[str, int], float] = {}
    for (chip, precision), values in found.items():
        key = chip, _MODE_OF[precision]
        rates[key] = max(median(values), rates.get(key, 0.0))
    return rates


def apple(folder: Path) -> Iterator[Case]:
    """Yield products and passes of torch on Apple GPUs that take a millisecond or longer."""
    for row in rows(folder, "operators_apple_torch"):
        card = device(row["chip"]) if row["chip"].startswith("Apple") else None
        net = _apple_operator(row["model"])
        if card is None or card.device_class == "cpu" or net is None or float(row["value"]) < 1.0:
            continue
        yield _kernel_case("apple", net, card, float(row["value"]) * 1e-3, 0.4, row["model"].split(" /")[0])


def _apple_operator(text: str) -> Network | None:
    name, _, rest = text.partition(" / ")
    sizes = [[int(edge) for edge in part.split("x")] for part in re.findall(r"dim=([\dx]+)", rest)]
    if name == "MatMul":
        left, right = sizes
        batch = left[0] if len(left) == len(right) == 3 else 1
        m = left[-2] * (left[0] if len(left) == 3 and batch == 1 else 1)
        return product_network(m, right[-1], left[-1], batch=batch)
    if name == "Linear":
        left, right = sizes[:2]
        return product_network(left[0] * left[1], right[1], left[2])
    elements = 1
    for edge in sizes[0] if sizes else ():
        elements *= edge
    if name in ("ReLU", "LeakyReLU", "PReLU", "Sigmoid"):
        return _passes(name, "elementwise", elements, 2)
    return _passes(name, "softmax", elements, 2) if name == "Softmax" else None


def kernel_cases(folder: Path, *, kernels: int = 150) -> list[Case]:
    """Return single kernels, a sample of each device."""
    return [
        *products(folder, count=kernels),
        *passes(folder, count=kernels // 2),
        *best_products(folder),
        *apple(folder),
    ]


def job_cases(folder: Path, *, images: int = 600) -> list[Case]:
    """Return whole jobs; of timm's models a sample."""
    return [
        *transformers(folder),
        *transformers(folder, fused=True),
        *ryujaehun(folder),
        *old_images(folder),
        *lambda_training(folder),
        *foundry_alone(folder),
        *pycls(folder),
        *timm(folder, "train", count=images),
        *timm(folder, "infer", count=images),
    ]


def report_skipped() -> Iterable[str]:
    """Return what was left out, most frequent first."""
    return [f"{name} ({count} times)" for name, count in SKIPPED.most_common()]
