"""One training step of a named network: forward, loss, backward, optimizer, on data that already lies on the device."""

import statistics
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import TypeVar

import torch
from torch import nn

from advisor.records.channel import CaseResult
from advisor.records.results.measured.measurement import Case
from advisor.worker.failure import NotSupportedError
from advisor.worker.memory import PeakMemory
from advisor.worker.memory_guard import require_room
from advisor.worker.networks import network_named
from advisor.worker.networks.network import TrainingNetwork
from advisor.worker.timing import Progress, Timing, time_iterations
from advisor.worker.torch_settings import dtype_of

Step = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
TensorOrModel = TypeVar("TensorOrModel", torch.Tensor, nn.Module)


def run_train(case: Case, device: torch.device, progress: Progress) -> CaseResult:
    """Time the training step of ``case.network`` with ``case.batch_size`` samples and Adam.

    Options: ``channels_last`` stores images with their channels innermost; ``needs_bytes`` refuses the case where there
    is less memory; ``epoch_items`` and ``epochs`` project how long that many samples take. Details of a processor have
    ``page_faults`` of a step and ``system_ratio``, the system's share of the processor's time.
    """
    require_room(case, device)
    peak = PeakMemory(device)
    network = network_named(case.network)
    model = network.build().to(device=device, dtype=dtype_of(case))
    step = training_step(case, network, model, device)
    timing = time_iterations(step, device, case, progress)
    details = {"warm_up_iterations": float(timing.warm_up_iterations)} | paging(timing, device)
    if peak.before_bytes is not None:
        details["memory_before_bytes"] = float(peak.before_bytes)
    details |= projection(case, statistics.median(timing.samples_s))
    return CaseResult(
        case_id=case.id,
        samples_s=timing.samples_s,
        iterations_per_sample=timing.iterations_per_sample,
        items_per_iteration=case.batch_size,
        parameters=sum(p.numel() for p in model.parameters() if p.requires_grad),
        peak_memory_bytes=peak.peak_bytes(),
        details=details,
    )


def projection(case: Case, iteration_s: float) -> dict[str, float]:
    """Return how long an epoch and all epochs take, where the case says how long they are."""
    if "epoch_items" not in case.options:
        return {}
    epoch_s = float(case.options["epoch_items"]) / case.batch_size * iteration_s
    return {"epoch_s": epoch_s, "all_epochs_s": epoch_s * float(case.options.get("epochs", 1))}


def paging(timing: Timing, device: torch.device) -> dict[str, float]:
    """Return page faults of a step and the system's share of the processor's time, where the processor trains."""
    if timing.used is None or device.type != "cpu":
        return {}
    return {"page_faults": timing.used.page_faults, "system_ratio": timing.used.system_ratio}


def arrange(case: Case, tensor_or_model: TensorOrModel) -> TensorOrModel:
    """Return it with its channels innermost in memory where the case wants that."""
    if not case.options.get("channels_last"):
        return tensor_or_model
    return tensor_or_model.to(memory_format=torch.channels_last)  # type: ignore[call-overload, no-any-return]


def training_step(
    case: Case, network: TrainingNetwork, model: nn.Module, device: torch.device
) -> Callable[[], torch.Tensor]:
    """Return a function that does one step and returns the loss; optimizer and data are made beforehand."""
    inputs, targets = network.make_batch(case.batch_size, case.size, device)
    if inputs.is_floating_point():
        inputs = arrange(case, inputs.to(dtype_of(case)))
    step = step_of(case, network, model, device)
    return lambda: step(inputs, targets)


def step_of(case: Case, network: TrainingNetwork, model: nn.Module, device: torch.device) -> Step:
    """Return a function that does one step on the data it is given and returns the loss."""
    model = arrange(case, model)
    optimizer = torch.optim.Adam(parameter for parameter in model.parameters() if parameter.requires_grad)
    model.train()
    return updating(case, device, optimizer, lambda inputs, targets: network.loss(model(inputs), targets))


def updating(
    case: Case, device: torch.device, optimizer: torch.optim.Optimizer, loss_of: Callable[..., torch.Tensor]
) -> Callable[..., torch.Tensor]:
    """Return a function that computes a loss of what it is given, learns from it, and returns it."""
    autocast, scaler = mixed_precision(case, device)

    def step(*data: torch.Tensor) -> torch.Tensor:
        optimizer.zero_grad()
        with autocast():
            loss = loss_of(*data)
        if scaler is None:
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
        else:
            scaler.scale(loss).backward()  # type: ignore[no-untyped-call]
            scaler.step(optimizer)
            scaler.update()
        return loss

    return step


def mixed_precision(
    case: Case, device: torch.device
) -> tuple[Callable[[], AbstractContextManager[None]], torch.amp.GradScaler | None]:
    """Return how to open the forward pass, and the loss scaler that fp16 needs."""
    if case.precision != "amp" or case.options.get("autocast") == "":  # empty: the device has no short format
        return nullcontext, None
    short = {"fp16": torch.float16, "bf16": torch.bfloat16}.get(str(case.options.get("autocast", "bf16")))
    if short is None:
        raise NotSupportedError(f"Automatic mixed precision knows no format '{case.options['autocast']}'.")
    scaler = torch.amp.GradScaler(device.type) if short is torch.float16 else None
    return lambda: torch.autocast(device.type, dtype=short), scaler
