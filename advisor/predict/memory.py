"""Memory of one device during a step: what is kept between steps, what a step needs, and what would make it fit."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec

from advisor.predict.coefficients import MemoryCoefficients, memory_coefficients
from advisor.predict.memory_on_processor import kept_on_processor
from advisor.predict.timing.step_work import QLORA_BYTES, REDUCED, element_ratio, trained_parameters
from advisor.records.base import Interval
from advisor.records.hardware.device import Device
from advisor.records.job.prediction import MemoryEstimate
from advisor.records.job.work import Network, Operation
from advisor.records.job.workload import Workload
from advisor.units import GIB

_STATES = {"none": 0.0, "sgd": 1.0, "adam": 2.0, "adamw": 2.0, "adamw_8bit": 0.5}
"""Tensors as large as the trained parameters that an optimizer keeps (momentum; two moments, of 32 bit or of 8).

Source of the last: Dettmers et al. 2022, 8-bit Optimizers via Block-wise Quantization: the moments take a quarter."""
_ADAPTERS = ("lora", "qlora")
_ADAM = frozenset({"adam", "adamw", "adamw_8bit"})
_AMP_ELEMENT = 0.55
"""Average size of a kept element under autocast, relative to fp32: norms, softmax and losses stay in 32 bit."""
_AMP_ON_PROCESSOR = 0.5
"""The same on a processor, where norms take and give 16 bit. Source: torch 2.13, the operators that its autocast leaves
in 32 bit, aten/src/ATen/autocast_mode.cpp."""
_MOST = 2**31
_METAL_RATIOS = ((128 * GIB, 0.84), (16 * GIB, 0.74), (0, 0.66))
"""Memory of a Mac in bytes, from the largest, and the share that macOS lets its GPU have by default.

Source: what Metal told others: 107.52 of 128 GiB (github.com/antirez/ds4, pull request 893, 2026-08-29), 11.84 of 16
(github.com/AlexsJones/llmfit, 754, 2026-07-15), 5.3 of 8 (github.com/SceneWorks/SceneWorks, 1552, 2026-07-15).
"""

replace: Callable[..., Any] = msgspec.structs.replace


@dataclass(frozen=True)
class Footprint:
    """Bytes of a step: the state kept between steps, and what each sample adds.

    Attributes:
        moments: The fullest moments beside parameters and optimizer, each (bytes per sample, fixed bytes), gradients in
            them; empty where the sum of all else stands for them.
    """

    parameters_bytes: float
    gradients_bytes: float
    optimizer_bytes: float
    slack_bytes: float
    saved_per_sample_bytes: float
    temporary_per_sample_bytes: float
    fixed_bytes: float
    context_bytes: float
    moments: tuple[tuple[float, float], ...] = ()

    @property
    def per_sample_bytes(self) -> float:
        """All that grows with the batch."""
        return self.saved_per_sample_bytes + self.temporary_per_sample_bytes

    @property
    def state_bytes(self) -> float:
        """All that can be spread over devices."""
        return self.parameters_bytes + self.gradients_bytes + self.optimizer_bytes

    def total(self, batch_size: float, shards: int = 1) -> float:
        """Return the bytes on one of ``shards`` devices that share the state."""
        if self.moments:
            return self._kept_bytes + math.fsum(self.fullest(batch_size))
        fixed = (self.state_bytes + self.slack_bytes) / shards + self.fixed_bytes + self.context_bytes
        return fixed + self.per_sample_bytes * batch_size

    def fullest(self, batch_size: float) -> tuple[float, float]:
        """Return the bytes (of all samples, fixed) of the fullest moment of ``moments`` at a batch."""
        slope, fixed = max(self.moments, key=lambda moment: moment[0] * batch_size + moment[1])
        return slope * batch_size, fixed

    @property
    def _kept_bytes(self) -> float:
        return self.parameters_bytes + self.optimizer_bytes + self.context_bytes

    def largest_batch(self, available_bytes: float, shards: int = 1) -> int:
        """Return the largest batch that fits; 0 where not even one sample does."""
        if self.moments:
            left = available_bytes / safety_ratio() - self._kept_bytes
            fitting = min(
                (left - fixed) / slope if slope > 0 else _MOST * (fixed <= left) for slope, fixed in self.moments
            )
            return int(max(0.0, min(fitting, _MOST)))
        room = available_bytes / safety_ratio() - self.total(0.0, shards)
        if room < self.per_sample_bytes:
            return 0
        return int(min(room / self.per_sample_bytes, _MOST)) if self.per_sample_bytes > 0 else _MOST


def usable_bytes(device: Device) -> float | None:
    """Return the memory that a job may take of a device; None where the device's is unknown.

    Of a Mac's memory macOS leaves its GPU a part (``recommendedMaxWorkingSetSize``), unless its owner sets another.
    """
    if device.memory_bytes is None or device.device_class != "apple":
        return device.memory_bytes
    return device.memory_bytes * next(ratio for least, ratio in _METAL_RATIOS if device.memory_bytes >= least)


def safety_ratio() -> float:
    """Return by how much memory must exceed its estimate to be called enough."""
    return memory_coefficients().safety


def footprint(network: Network, workload: Workload, *, is_cpu: bool = False) -> Footprint:
    """Return the bytes of a step of the workload on one device."""
    constants = memory_coefficients()
    parameters, gradients, states = _state_bytes(network, workload)
    kept = kept_on_processor(network) if is_cpu and workload.task == "train" else network
    saved, temporary, fixed = _activation_bytes(kept, workload, constants)
    if not is_cpu:
        temporary += _workspace_bytes(network, workload, constants)
    moments = _moments(network, kept, workload) if is_cpu else ()
    return Footprint(
        parameters_bytes=parameters + network.buffer_bytes - (_copied_bytes(network, workload) if moments else 0.0),
        gradients_bytes=gradients,
        optimizer_bytes=states,
        slack_bytes=constants.parameter_slack * _changing_bytes(network, workload, parameters),
        saved_per_sample_bytes=saved,
        temporary_per_sample_bytes=temporary,
        fixed_bytes=fixed,
        context_bytes=_context_bytes(network, constants, is_cpu=is_cpu),
        moments=moments,
    )


def _moments(network: Network, kept: Network, workload: Workload) -> tuple[tuple[float, float], ...]:
    """Return the fullest moments of a step on a processor beside parameters and optimizer; empty: not known.

    Adam makes two tensors like the parameter at hand while it changes it, one parameter after the other. Source: torch
    2.13, ``_single_tensor_adam`` in torch/optim/adam.py, which it takes on a processor. Copies of parameters that
    autocast makes go in the backward pass, as gradients come.

    Args:
        network: As traced.
        kept: The same with what is kept on a processor.
        workload: What is trained.
    """
    if not network.moments or workload.task == "infer" or workload.method in _ADAPTERS or workload.checkpointing:
        return ()
    ratio = _AMP_ON_PROCESSOR if workload.precision == "amp" else element_ratio(workload.precision)
    gradient = 0.5 if workload.precision in ("fp16", "bf16") else 1.0
    more = kept.peak_bytes_per_sample / network.peak_bytes_per_sample if network.peak_bytes_per_sample else 1.0
    integers = kept.saved_integer_bytes_per_sample
    held = [(slope * more, fixed * gradient) for slope, fixed in network.moments]
    held = [(slope * ratio + (1.0 - ratio) * min(slope, integers), fixed) for slope, fixed in held]
    if copies := _copied_bytes(network, workload):
        short = 2.0 * network.largest_parameter  # a gradient comes in 16 bit first
        held = [(slope, max(fixed, copies + 0.5 * fixed) + short) for slope, fixed in held]
    update = 2.0 if workload.optimizer in _ADAM else 0.0
    changed = 4.0 * gradient * (network.trainable_parameters + update * network.largest_parameter)
    return (*held, (0.0, changed))


def _context_bytes(network: Network, constants: MemoryCoefficients, *, is_cpu: bool) -> float:
    if is_cpu:
        return constants.processor_bytes
    convolves = any(operation.kind == "conv" for operation in network.operations)
    return constants.context_bytes + (constants.convolution_bytes if convolves else 0.0)


def _state_bytes(network: Network, workload: Workload) -> tuple[float, float, float]:
    """Return bytes of parameters, gradients and optimizer state.

    With 16-bit parameters Adam keeps a 32-bit copy of them. Source: Rajbhandari et al. 2020, ZeRO, section 3.1.
    Programs differ: PyTorch's own AdamW keeps none (10 bytes a parameter at most, ljm565/universal-llm-trainer, Llama
    3.1 8B in 78 GiB, 2025), DeepSpeed takes 24 (QwenLM/Qwen, 1.8B in 43.5 GB, 2023).
    """
    half = workload.precision in ("fp16", "bf16")
    element = 2.0 if half else 4.0
    if workload.task == "infer":
        return quantised_bytes(network) if workload.method == "qlora" else network.parameters * element, 0.0, 0.0
    trained = trained_parameters(network, workload.method)
    if workload.method in _ADAPTERS:
        frozen = quantised_bytes(network, kept=_KEPT_BYTES) if workload.method == "qlora" else network.parameters * 2.0
        return frozen + 4.0 * trained, 4.0 * trained, 4.0 * _STATES[workload.optimizer] * trained
    states = _STATES[workload.optimizer] * (4.0 if workload.optimizer in _ADAM or not half else 2.0)
    if half and workload.optimizer in _ADAM:
        states += 4.0
    weights = network.parameters * element + _copied_bytes(network, workload)
    return weights, element * trained, states * trained


def _copied_bytes(network: Network, workload: Workload) -> float:
    """Return the bytes of the copies of 16 bit that autocast keeps of the parameters during a step."""
    return network.parameters * 2.0 if workload.precision == "amp" and workload.method not in _ADAPTERS else 0.0


_KEPT_BYTES = 4.0
"""Of a parameter that QLoRA does not turn into 4 bit: what is trained beside it is made ready in 32 bit.

Source: PEFT, ``prepare_model_for_kbit_training``, 2025; ljm565/universal-llm-trainer, docs/gpu_test.md, 2025: weights
of Llama 3.1 8B so take 7.8 to 8.0 GiB, those of Llama 2 13B, with a vocabulary a quarter as large, 8.0 to 8.3.
"""


def _changing_bytes(network: Network, workload: Workload, parameters_bytes: float) -> float:
    """Return the bytes of the parameters of which copies live for a moment: those that are trained.

    Source: Lightning-AI/litgpt, tutorials/resource-tables.md, 2023-10-20: 7B in bfloat16 with adapters takes 21.30 GB
    with one sample of 1,304 tokens and 29.07 with two, its 13.5 GB of weights once.
    """
    if workload.task == "infer":
        return 0.0
    is_frozen = workload.method in _ADAPTERS
    return 4.0 * trained_parameters(network, workload.method) if is_frozen else parameters_bytes


def quantised_bytes(network: Network, *, kept: float = 2.0) -> float:
    """Return the bytes of parameters in 4 bit: what looks tokens up or tells their chances keeps so many bytes each.

    Source: bitsandbytes, ``replace_with_bnb_linear`` in Transformers, 2025: linear layers, the last one left out; in a
    mixture of experts those of every expert (Qwen3 30B-A3B tuned on a card of 24 GB: woct0rdho/transformers-qwen3-moe-
    fused, 2025; gpt-oss 20B in 12.8 GB: unsloth.ai/docs/basics/faster-moe, 2026).
    """
    looked_up = {operation.bytes_fixed / 4.0 for operation in network.operations if operation.kind == "embedding"}
    products = [
        float(operation.shape[2] * operation.shape[3]) * operation.count
        for operation in network.operations
        if operation.kind == "gemm" and operation.phase == "forward" and operation.batch_axis == 1
        if float(operation.shape[2] * operation.shape[3]) not in looked_up
    ]
    short = min(sum(products) + network.unmet_parameters, network.parameters)
    return QLORA_BYTES * short + kept * (network.parameters - short)


def _activation_bytes(
    network: Network, workload: Workload, constants: MemoryCoefficients
) -> tuple[float, float, float]:
    """Return bytes of one sample kept for backward, its other temporary bytes, and bytes independent of the batch."""
    ratio = _AMP_ELEMENT if workload.precision == "amp" else element_ratio(workload.precision)
    if workload.task == "infer":
        alone = network.inference_bytes_per_sample or 3.0 * network.largest_bytes_per_sample
        return 0.0, alone * ratio * constants.peak, network.inference_bytes_fixed * ratio
    integers = network.saved_integer_bytes_per_sample
    saved = (network.saved_bytes_per_sample - integers) * ratio + integers
    peak = max(network.peak_bytes_per_sample, network.saved_bytes_per_sample)
    beyond = (peak - network.saved_bytes_per_sample) * ratio
    if workload.checkpointing and network.layers:
        # Inputs of the blocks stay, one block at a time is computed again. Source: Korthikanti et al. 2022, section 5:
        # 2 of 34 bytes for each token and width of a transformer block.
        saved *= 1.0 / network.layers + constants.checkpoint_ratio
    fixed = max(network.peak_bytes_fixed, network.saved_bytes_fixed, 0.0) * ratio
    return saved * constants.peak, beyond * constants.peak, fixed


def _workspace_bytes(network: Network, workload: Workload, constants: MemoryCoefficients) -> float:
    """Return the work space of one sample: convolutions unfold their input; freed blocks do not fit the next use."""
    if workload.task == "infer":
        return 0.0
    ratio = 0.5 if workload.precision in REDUCED else 1.0
    plain, grouped = (largest_unfolded_bytes(network, grouped=kind) for kind in (False, True))
    largest = constants.largest * network.largest_bytes_per_sample if plain or grouped else 0.0
    return (constants.workspace * plain + constants.grouped_workspace * grouped + largest) * ratio


def largest_unfolded_bytes(network: Network, *, grouped: bool) -> float:
    """Return the bytes of the largest input of a convolution, unfolded for a product, for one sample in fp32."""
    return max((_unfolded_bytes(o) for o in network.operations if _unfolds(o, grouped=grouped)), default=0.0)


def _unfolds(operation: Operation, *, grouped: bool) -> bool:
    if operation.kind != "conv" or operation.shape[2] * operation.shape[3] == 1:
        return False
    if operation.operator.startswith(("conv3d", "conv_transposed3d")):
        # Of volumes nothing is unfolded: nnU-Net takes 7 to 9 GB with two patches of about 128 x 128 x 128 in mixed
        # precision, its tensors alone 6. Source: github.com/MIC-DKFZ/nnUNet, issue 658, 2021-07-14.
        return False
    return (operation.shape[6] > 1) == grouped


def _unfolded_bytes(operation: Operation) -> float:
    c_in, _, kernel_h, kernel_w, height, width, _, _ = operation.shape
    return 4.0 * c_in * kernel_h * kernel_w * height * width


class MemoryModel:
    """The memory of one workload, ready to be asked for many devices."""

    def __init__(self, network: Network, workload: Workload, *, is_cpu: bool = False) -> None:
        self._network, self._workload, self._is_cpu = network, workload, is_cpu
        self.footprint = footprint(network, workload, is_cpu=is_cpu)
        self._constants = memory_coefficients()

    @cached_property
    def _measures(self) -> dict[str, Footprint]:
        """What the workload would take after each measure, by code."""
        changes = _measures(self._network, self._workload).items()
        return {
            name: footprint(self._network, replace(self._workload, **change), is_cpu=self._is_cpu)
            for name, change in changes
        }

    def estimate(self, available_bytes: float | None, batch_size: float, shards: int = 1) -> MemoryEstimate:
        """Return the peak memory on a device with ``available_bytes``, whether it fits, and what would make it fit."""
        own, batch = self.footprint, batch_size
        total = own.total(batch, shards)
        gradients, activations = own.gradients_bytes / shards, own.saved_per_sample_bytes * batch
        if own.moments:  # what of both there is at once
            of_samples, fixed = own.fullest(batch)
            gradients, activations = min(gradients, fixed), min(activations, of_samples)
        kept = (own.parameters_bytes + own.optimizer_bytes) / shards + own.context_bytes
        fits = None if available_bytes is None else total * self._constants.safety <= available_bytes
        return MemoryEstimate(
            parameters_bytes=own.parameters_bytes / shards,
            gradients_bytes=gradients,
            optimizer_bytes=own.optimizer_bytes / shards,
            activations_bytes=activations,
            temporary_bytes=total - kept - gradients - activations,
            context_bytes=own.context_bytes,
            total_bytes=total,
            available_bytes=available_bytes,
            fits=fits,
            largest_batch=None if available_bytes is None else own.largest_batch(available_bytes, shards),
            how_to_fit=() if fits or available_bytes is None else self.how_to_fit(available_bytes),
            devices_needed=None if available_bytes is None else _devices_needed(own, available_bytes),
            interval=self._around(total),
        )

    def _around(self, total: float) -> Interval:
        low, high = _OF_A_PROCESS if self.footprint.moments else (self._constants.low, self._constants.high)
        return Interval(low=total * low, high=total * high)

    def how_to_fit(self, available_bytes: float) -> tuple[str, ...]:
        """Return the measures each of which, with a batch as small as needed, makes it fit; easiest first."""
        found = ["smaller_batch"] if self.footprint.largest_batch(available_bytes) >= 1 else []
        found += [name for name, taken in self._measures.items() if taken.largest_batch(available_bytes) >= 1]
        if self._workload.task == "train" and not self._is_cpu:
            needed = _devices_needed(self.footprint, available_bytes)
            if needed is not None and needed > 1:
                found.append("shard")
        return tuple(found)


def as_measured(estimate: MemoryEstimate, peak_bytes: float) -> MemoryEstimate:
    """Return the estimate with the peak that was measured; what is not kept between steps makes up the difference."""
    kept = estimate.parameters_bytes + estimate.gradients_bytes + estimate.optimizer_bytes
    beside = max(peak_bytes - kept - estimate.activations_bytes - estimate.context_bytes, 0.0)
    available = estimate.available_bytes
    fits = None if available is None else peak_bytes <= available
    return replace(  # type: ignore[no-any-return]
        estimate,
        temporary_bytes=beside,
        total_bytes=peak_bytes,
        fits=fits,
        how_to_fit=() if fits else estimate.how_to_fit,
        interval=Interval(low=peak_bytes / _MEASURED_WIDTH, high=peak_bytes * _MEASURED_WIDTH),
    )


_OF_A_PROCESS = (0.88, 1.17)
"""What a process takes on a processor, over its tensors and PyTorch itself: the C library keeps what was freed, kernels
take memory of their own. Measured with torch 2.13: resident memory of 25 real steps of nine networks, decision 79."""
_MEASURED_WIDTH = 1.05
"""Two measured peaks of one step differ by less."""


def _devices_needed(bytes_of: Footprint, available_bytes: float) -> int | None:
    """Return over how many devices the state must be spread so that one sample fits on each."""
    room = available_bytes / safety_ratio() - bytes_of.fixed_bytes - bytes_of.context_bytes - bytes_of.per_sample_bytes
    return None if room <= 0 else max(1, math.ceil((bytes_of.state_bytes + bytes_of.slack_bytes) / room))


def _measures(network: Network, workload: Workload) -> dict[str, dict[str, object]]:
    """Return the changes of the workload worth trying, by code."""
    measures: dict[str, dict[str, object]] = {}
    if workload.precision in ("fp32", "tf32"):
        measures["amp"] = {"precision": "amp"}
    if workload.task == "infer":
        if network.family == "transformer" and workload.method != "qlora":
            measures["quantised"] = {"method": "qlora"}
        return measures
    if network.layers and not workload.checkpointing:
        measures["checkpointing"] = {"checkpointing": True}
    if network.family == "transformer" and workload.method in ("full", "transfer", "lora"):
        smaller: dict[str, object] = {"checkpointing": True} if network.layers else {}
        if workload.method != "lora":
            measures["lora"] = {"method": "lora", **smaller}
        measures["qlora"] = {"method": "qlora", **smaller}
    return measures
