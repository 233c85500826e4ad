"""Measured cases from the folder of public measurements, each joined with a network and a device of the catalogue."""

import random
import re
from pathlib import Path

from model import Case
from tables import extras, number, rows

from advisor.catalog import find_device
from advisor.errors import AdvisorError
from advisor.records.work import Network, Operation
from advisor.records.workload import Workload

TORCHVISION = {"resnet-101": "resnet101", "resnet-152": "resnet152", "resnet-18": "resnet18", "resnet-34": "resnet34", "resnet-50": "resnet50", "vgg-16": "vgg16", "vgg-19": "vgg19", "alexnet": "alexnet", "inception-v1": "googlenet"}


def workload(network: str, **others) -> Workload:
    return Workload(id=network, title=network, network=network, samples=1, **others)


def device(chip: str):
    try:
        return find_device(chip)
    except AdvisorError:
        return None


def transformers(folder: Path, networks: dict[str, Network], table: str = "eager", weight: float = 2.0):
    for r in rows(folder, "transformers_fp32_neusight"):
        if r["metric"] != "e2e_latency_ms" or r["n_devices"] != "1" or "option=none" not in r["extra"]:
            continue
        net = networks.get(f"{r['model']}:{table}")
        d = device(r["chip"])
        if net is None or d is None:
            continue
        yield Case(source="neusight" if table == "eager" else "neusight_fused", network=net, workload=workload(net.name, task=r["task"], batch_size=int(float(r["batch_size"])), precision="fp32", optimizer="none", sequence_length=int(float(r["image_or_seq"]))), device=d, time_s=float(r["value"]) * 1e-3, model=r["model"], software="eager", weight=weight)


def images(folder: Path, networks):
    for r in rows(folder, "image_models_ryujaehun"):
        if r["n_devices"] != "1" or r["model"] not in networks:
            continue
        d = device(r["chip"])
        prec = r["precision"]
        if prec == "fp32" and r["chip"].startswith("A100"):
            prec = "tf32"
        yield Case(source="ryujaehun", network=networks[r["model"]], workload=workload(r["model"], task=r["task"], batch_size=12, precision=prec, optimizer="none"), device=d, time_s=float(r["value"]) * 1e-3, model=r["model"], software="torch1", weight=0.7)
    for r in rows(folder, "image_models_cnn_benchmarks"):
        name = TORCHVISION.get(r["model"])
        if name not in networks or "cudnn=5" not in r["framework"] or r["metric"] not in ("forward_ms", "total_ms"):
            continue
        yield Case(source="cnn_benchmarks", network=networks[name], workload=workload(name, task=r["task"], batch_size=int(float(r["batch_size"])), precision="fp32", optimizer="none"), device=device(r["chip"]), time_s=float(r["value"]) * 1e-3, model=name, software="torch7", weight=0.7)
    for r in rows(folder, "image_models_u39kun"):
        if not r["framework"].lower().startswith("pytorch") or r["model"] not in networks:
            continue
        yield Case(source="u39kun", network=networks[r["model"]], workload=workload(r["model"], task=r["task"], batch_size=int(float(r["batch_size"])), precision=r["precision"], optimizer="none"), device=device(r["chip"]), time_s=float(r["value"]) * 1e-3, model=r["model"], software="torch1", weight=0.7)


LAMBDA = {"resnet50": "resnet50", "ssd": "ssd300", "bert_base_squad": "bert_base_squad:eager", "bert_large_squad": "bert_large_squad:eager"}


def lambda_training(folder: Path, networks):
    found = {}
    for r in rows(folder, "training_throughput_lambda"):
        if r["n_devices"] != "1" or r["model"] not in LAMBDA or LAMBDA[r["model"]] not in networks:
            continue
        key = (r["chip"], r["framework"], r["model"], r["precision"])
        found.setdefault(key, []).append((float(r["value"]), number(r["batch_size"])))
    usual = {}
    for (chip, fw, model, prec), values in found.items():
        for _, b in values:
            if b and chip == "H100 SXM":
                usual[model, prec] = b
    for (chip, fw, model, prec), values in found.items():
        values.sort(); v, b = values[len(values) // 2]
        b = b or usual.get((model, prec))
        if not b:
            continue
        d = device(chip)
        precision = "amp" if prec == "fp16" else ("tf32" if "tf32" in d.peak_flop_per_s else "fp32")
        year = "ngc24" if "24.10" in fw else "ngc22" if "v1" in fw else "ngc20"
        yield Case(source="lambda", network=networks[LAMBDA[model]], workload=workload(model, batch_size=int(b), precision=precision, optimizer="adam" if "bert" in model else "sgd", channels_last=model in ("resnet50",) and prec == "fp16"), device=d, time_s=b / v, model=f"{model}/{prec}", software=year, weight=1.2)


def products(folder: Path, count: int = 250, seed: int = 0):
    by_chip = {}
    for r in rows(folder, "kernels_gemm_neusight"):
        by_chip.setdefault(r["chip"], []).append(r)
    pick = random.Random(seed)
    for chip, found in by_chip.items():
        d = device(chip)
        for r in pick.sample(found, min(count, len(found))):
            yield product_case(r, d)


def product_case(r, d):
    kind, b, m, n, k = re.match(r"(\w+?)_B(\d+)_M(\d+)_N(\d+)_K(\d+)", r["model"]).groups()
    b, m, n, k = int(b), int(m), int(n), int(k)
    # the file's N is the length of the reduction, K the columns of the result
    op = Operation(kind="gemm", phase="forward", operator="bmm" if kind == "bmm" else "addmm", shape=(b, m, k, n), batch_axis=None, flop_fixed=2.0 * b * m * n * k, bytes_fixed=4.0 * b * (m * n + n * k + m * k))
    if kind != "bmm" or b == 1:
        op = Operation(kind="gemm", phase="forward", operator="addmm", shape=(1, m * b, k, n), batch_axis=None, flop_fixed=2.0 * b * m * n * k, bytes_fixed=4.0 * b * (m * n + n * k + m * k))
    net = Network(name=r["model"], family="kernel", parameters=0, trainable_parameters=0, sample="row", operations=(op,))
    return Case(source="gemm", network=net, workload=workload(r["model"], task="infer", batch_size=1, precision="fp32"), device=d, time_s=float(r["value"]) * 1e-3, software="kernel", overhead=True, weight=0.5, model=kind)


ELEMENTWISE = {"add": ("elementwise", 3), "mul": ("elementwise", 3), "div": ("elementwise", 3), "relu": ("elementwise", 2), "gelu": ("elementwise", 2), "tanh": ("elementwise", 2), "ln": ("normalization", 2), "softmax": ("softmax", 2)}


def passes(folder: Path, count: int = 120, seed: int = 0):
    by_chip = {}
    for r in rows(folder, "kernels_elementwise_neusight"):
        by_chip.setdefault(r["chip"], []).append(r)
    pick = random.Random(seed)
    for chip, found in by_chip.items():
        d = device(chip)
        for r in pick.sample(found, min(count, len(found))):
            name, b, h = re.match(r"(\w+?)_B(\d+)_H(\d+)", r["model"]).groups()
            if name not in ELEMENTWISE:
                continue
            kind, tensors = ELEMENTWISE[name]
            n = int(b) * int(h)
            op = Operation(kind=kind, phase="forward", operator=name, shape=(int(b), int(h)), batch_axis=None, flop_fixed=n, bytes_fixed=4.0 * tensors * n)
            net = Network(name=r["model"], family="kernel", parameters=0, trainable_parameters=0, sample="row", operations=(op,))
            yield Case(source="elementwise", network=net, workload=workload(name, task="infer", batch_size=1, precision="fp32"), device=d, time_s=float(r["value"]) * 1e-3, software="kernel", overhead=True, weight=0.5, model=name)


def best_products(folder: Path):
    for r in rows(folder, "best_gemm_tflops"):
        m = re.search(r"gemm_(\d+)x(\d+)x(\d+)", r["model"])
        d = device(r["chip"])
        if not m or d is None or r["precision"] not in ("bf16", "fp16"):
            continue
        a, b, k = map(int, m.groups())
        flop = 2.0 * a * b * k
        op = Operation(kind="gemm", phase="forward", operator="mm", shape=(1, a, b, k), batch_axis=None, flop_fixed=flop, bytes_fixed=4.0 * (a * b + b * k + a * k))
        net = Network(name=r["model"], family="kernel", parameters=0, trainable_parameters=0, sample="row", operations=(op,))
        yield Case(source="best_gemm", network=net, workload=workload("g", task="infer", batch_size=1, precision="bf16"), device=d, time_s=flop / (float(r["value"]) * 1e12 * 0.95), software="kernel", weight=0.7)


def timm(folder: Path, networks, task: str, count: int | None = None, seed: int = 0):
    found = []
    for r in rows(folder, "image_models_timm"):
        if r["task"] != task or r["chip"] != "RTX 3090" or not number(r["value"]):
            continue
        name = r["model"].split(".")[0]
        net = networks.get("timm/" + name)
        size = number(r["image_or_seq"])
        if task == "train" and net is not None and net.attention:
            continue  # measured before fused kernels, traced with them
        if net is None or size != net.image_size or not number(r["batch_size"]):
            continue
        found.append((r, net, name))
    if count is not None and count < len(found):
        found = random.Random(seed).sample(found, count)
    d = device("RTX 3090")
    for r, net, name in found:
        b = int(float(r["batch_size"]))
        yield Case(source=f"timm_{task}", network=net, workload=workload(name, task=task, batch_size=b, precision="amp", optimizer="sgd", channels_last="nhwc" in r["framework"]), device=d, time_s=b / float(r["value"]), model=name, software="eager", weight=0.6)


def apple(folder: Path):
    """Yield products and passes of torch on Apple GPUs and processors."""
    for r in rows(folder, "operators_apple_torch"):
        if not r["chip"].startswith("Apple"):
            continue
        d = device(r["chip"])
        if d is None or d.bandwidth_bytes_per_s is None:
            continue
        op = apple_operation(r["model"])
        if op is None or float(r["value"]) < 1.0:
            continue
        net = Network(name=r["model"], family="kernel", parameters=0, trainable_parameters=0, sample="row", operations=(op,))
        yield Case(source="apple_cpu" if d.device_class == "cpu" else "apple", network=net, workload=workload("a", task="infer", batch_size=1, precision="fp32"), device=d, time_s=float(r["value"]) * 1e-3, software="kernel", overhead=d.device_class != "cpu", weight=0.4, model=r["model"].split(" /")[0])


def apple_operation(text: str) -> Operation | None:
    name, _, rest = text.partition(" / ")
    dims = [[int(e) for e in part.split("x")] for part in re.findall(r"dim=([\dx]+)", rest)]
    if name == "MatMul":
        a, b = dims
        batch = a[0] if len(a) == 3 and len(b) == 3 else 1
        m = a[-2] * (a[0] if len(a) == 3 and len(b) == 2 else 1)
        k, n = a[-1], b[-1]
        return Operation(kind="gemm", phase="forward", operator="bmm" if batch > 1 else "mm", shape=(batch, m, n, k), flop_fixed=2.0 * batch * m * n * k, bytes_fixed=4.0 * batch * (m * k + k * n + m * n))
    if name == "Linear":
        a, b = dims[:2]
        m, k, n = a[0] * a[1], a[2], b[1]
        return Operation(kind="gemm", phase="forward", operator="addmm", shape=(1, m, n, k), flop_fixed=2.0 * m * n * k, bytes_fixed=4.0 * (m * k + k * n + m * n))
    if name in ("ReLU", "LeakyReLU", "PReLU", "Softmax", "Sigmoid", "SoftMax"):
        elements = 1
        for edge in dims[0]:
            elements *= edge
        return Operation(kind="softmax" if name.lower() == "softmax" else "elementwise", phase="forward", operator=name, shape=(elements, 1), flop_fixed=elements, bytes_fixed=8.0 * elements)
    return None
