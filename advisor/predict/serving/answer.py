"""Prompts are read at the rate of arithmetic, answers written at that of memory: each token reads all weights.

Several devices hold a share of the layers each and work one after the other, as llama.cpp does by itself. What fits in
no device stays in the computer's own memory and is computed by its processor.
"""

import math
from dataclasses import dataclass

from advisor.predict.memory import safety_ratio, usable_bytes
from advisor.predict.serving.constants import (
    GRAPHS_SINCE,
    PACKED_SINCE,
    ServingConstants,
    constants_of,
    peak_of,
    serving_table,
)
from advisor.predict.serving.measured import TokenLoop
from advisor.predict.serving.size import (
    active_count,
    cache_numbers,
    expert_count,
    experts_read,
    outside_count,
    parameter_count,
)
from advisor.predict.support import require_serving
from advisor.predict.timing.device_rates import require_rates
from advisor.records.base import Z80, Basis, Interval
from advisor.records.hardware.device import Device
from advisor.records.job.prediction import confidence_of
from advisor.records.job.serving import (
    LanguageModel,
    ServingJob,
    ServingLimit,
    ServingMemory,
    ServingPrediction,
    WeightFormat,
)

BATCH = 512
"""Tokens of a prompt that are read at once. Source: llama.cpp, --ubatch-size."""
_REFERENCE_FLOP_PER_S = 1e14
_CACHE_BYTES = 2.0
"""Of a number in the cache: 16 bit, but for weights of 32."""
_LAYER_OF_TORCH_S = 3e-4
"""What a layer of a loop in PyTorch takes of a processor besides reading its weights: the starts of 30 operations.
Measured: two cores of an EPYC, torch 2.13, 2026-11-24; four times what llama.cpp takes."""
_CONTEXT_BYTES = 2.5e8
"""What driver and program take of a card before the first tensor: less than 0.26 GiB, or Llama 3 8B in 16 bit would not
have read 4,096 tokens on a card of 16 GiB. Source: resources/references/serving.csv, RTX 4080."""
_FEW_USERS, _MANY_USERS = 0.07, 64
"""Share of the peak that packed weights reach for few users, each of whom the same kernel serves in turn, and from how
many users on the kernels of prompts do. Source: llama.cpp, pull request 15802 (2025-09): Llama 8B Q4_0, RTX 3090."""
_FEW_ON_PROCESSOR = 0.23
"""Share of a processor's fp32 peak at its nominal clock that packed weights reach for few users: unpacking takes longer
than reading where few cores have a fast memory. Measured: llama.cpp (gpt4all 2.8), TinyLlama Q4_0, 0.115 s of one AVX2
core of an EPYC for a token, 2026-11-23."""
_USERS_SIGMA = 0.06
"""Further error for each doubling of the users: up to 18 % at eight, by the same source."""
_UNSEEN = 2.0
"""Times the error of cards, of a chip that shares the processor's memory and is not AMD's: too few were fitted. A GB10
writes with gpt-oss a quarter slower than said, with Qwen as fast. Source: github.com/ggml-org/llama.cpp,
benches/dgx-spark.md, 2025-11."""
_MEMORY_WIDTH = 1.07


@dataclass(frozen=True)
class Host:
    """The computer's own memory and processor, for the layers that fit into no device.

    Attributes:
        device: The processor.
        memory_bytes: Free for a model.
        basis: What the processor's figures rest on.
        loop: PyTorch's, where it was measured.
    """

    device: Device
    memory_bytes: float
    basis: Basis = "modelled"
    loop: TokenLoop | None = None


@dataclass(frozen=True)
class _Case:
    """A model, how it is stored and asked."""

    model: LanguageModel
    weights: WeightFormat
    job: ServingJob

    @property
    def outside_bytes(self) -> float:
        """Of embedding and output layer."""
        return outside_count(self.model) * self.weights.bits_outside / 8

    @property
    def table_bytes(self) -> float:
        """Of the table of tokens, which llama.cpp leaves in the computer's memory: a token reads one row of it.

        Source: llama.cpp, src/llama-model.cpp: the input layer is always on the processor.
        """
        if self.model.tied or self.weights.software != "llama.cpp":
            return 0.0
        return self.model.vocabulary * self.model.width * self.weights.bits_outside / 8

    @property
    def weights_bytes(self) -> float:
        """Of everything."""
        inside = parameter_count(self.model) - outside_count(self.model)
        return inside * self.weights.bits / 8 + self.outside_bytes

    def read_bytes(self, tokens: float) -> float:
        """Return the bytes of weights that so many tokens at once read."""
        head = self.model.vocabulary * self.model.width
        inside = (active_count(self.model) - head) * self.weights.bits / 8
        more = expert_count(self.model) * (experts_read(self.model, tokens) - self.model.active_experts)
        return inside + head * self.weights.bits_outside / 8 + more * self.weights.bits / 8

    def cache_bytes(self, tokens: float) -> float:
        """Return the bytes of the keys and values of so many tokens of one user."""
        return cache_numbers(self.model, tokens) * max(_CACHE_BYTES, self.weights.bits / 8)

    @property
    def layer_flop(self) -> float:
        """Of a token in all layers, without attention's scores."""
        return 2.0 * (active_count(self.model) - self.model.vocabulary * self.model.width)


def predict_serving(
    model: LanguageModel,
    weights: WeightFormat,
    device: Device,
    job: ServingJob,
    *,
    device_count: int = 1,
    host: Host | None = None,
) -> ServingPrediction:
    """Return how fast a model answers and what memory it takes.

    Args:
        model: What is asked.
        weights: How its weights are stored.
        device: One of the devices.
        job: How it is asked.
        device_count: Devices that hold a share of the layers each.
        host: Where layers stay that do not fit; None: nowhere.

    Raises:
        PredictionError: The device's arithmetic rate or memory bandwidth is unknown, or no program serves on it.
    """
    require_rates(device)
    require_serving(device)
    case = _Case(model, weights, job)
    memory = _memory(case, device, device_count, host)
    written = _decode_parts(case, device, device_count, memory.host_ratio, host)
    read_s = _prefill_s(case, device, device_count)
    if memory.host_ratio and host is not None:
        read_s = (1 - memory.host_ratio) * read_s + memory.host_ratio * _prefill_s(case, host.device, 1)
    token_s = sum(written.values())
    constants = constants_of(device)
    unseen = _UNSEEN if device.device_class == "soc" and device.vendor != "amd" else 1.0
    sigma = constants.decode_sigma * max(unseen, 2.0 if memory.host_ratio else 1.0)
    sigma = math.hypot(sigma, _USERS_SIGMA * math.log2(job.users))
    first_s = read_s * job.users + token_s
    rate, speed = job.prompt_tokens / read_s, 1.0 / token_s
    around = _around(speed, sigma)
    return ServingPrediction(
        model=model.name,
        weights=weights.name,
        device=device.name,
        device_count=device_count,
        parameters=parameter_count(model),
        active_parameters=active_count(model),
        job=job,
        prefill_tokens_per_s=rate,
        prefill_interval=_around(rate, constants.prefill_sigma * unseen),
        decode_tokens_per_s=speed,
        decode_interval=around,
        total_tokens_per_s=job.users * speed,
        first_token_s=first_s,
        answer_s=first_s + (job.new_tokens - 1) * token_s,
        limit=_limit(written),
        memory=memory,
        confidence=confidence_of(speed, around),
        basis=host.basis if host is not None and device.device_class == "cpu" else "modelled",
    )


def _decode_s(case: _Case, device: Device, device_count: int = 1) -> float:
    """Return the seconds of one token for every user, in the middle of the answer."""
    return sum(_decode_parts(case, device, device_count, 0.0, None).values())


def _prefill_s(case: _Case, device: Device, device_count: int) -> float:
    """Return the seconds until the prompt of one user is read."""
    table = serving_table()
    constants, tokens = constants_of(device), case.job.prompt_tokens
    peak = peak_of(device, case.weights.name) or _REFERENCE_FLOP_PER_S
    rate = _arithmetic_rate(constants, peak, case)
    model = case.model
    span = tokens / 2 if model.window is None or model.full_every else min(tokens / 2, model.window)
    attention = 4.0 * model.heads * model.head_size * model.layers * tokens * span
    batches = math.ceil(tokens / BATCH)
    bandwidth = (device.bandwidth_bytes_per_s or 1.0) * constants.bandwidth * _shortness(constants, case.weights)
    share: float = constants.attention_old if _is_before(PACKED_SINCE, case.job) else constants.attention
    seconds = case.layer_flop * tokens / rate + attention / (peak * share)
    seconds += batches * (model.layers * _layer_s(constants, case.job) + case.read_bytes(BATCH) / bandwidth)
    if device_count == 1:
        return seconds
    ideal = device_count * batches / (batches + device_count - 1)
    gain: float = ideal**table.pipeline
    return seconds / gain


def _decode_parts(
    case: _Case, device: Device, device_count: int, host_ratio: float, host: Host | None
) -> dict[ServingLimit, float]:
    """Return the seconds of one token for every user, by what takes them."""
    constants, job = constants_of(device), case.job
    bandwidth = device.bandwidth_bytes_per_s or 1.0
    here = 1.0 - host_ratio
    tokens = job.prompt_tokens + job.new_tokens / 2
    rate, layer_s = bandwidth * constants.bandwidth * _shortness(constants, case.weights), _layer_s(constants, job)
    if device.device_class == "cpu" and case.weights.software == "torch":
        loop = host.loop if host is not None else None
        rate, layer_s = (loop.rate(case.model.width), loop.layer_s) if loop else (rate, _LAYER_OF_TORCH_S)
    weights_s = case.read_bytes(job.users) / rate
    cache_s = job.users * case.cache_bytes(tokens) / (bandwidth * constants.cache)
    few = _FEW_ON_PROCESSOR if device.device_class == "cpu" else _FEW_USERS
    peak = peak_of(device, case.weights.name, is_prompt=job.users >= _MANY_USERS) or _REFERENCE_FLOP_PER_S
    compute_s = _decode_arithmetic_s(case, constants, peak, few)
    parts: dict[ServingLimit, float] = {
        "memory_bandwidth": weights_s * here + cache_s,
        "compute": max(compute_s - weights_s, 0.0) * here,
        "launch": case.model.layers * layer_s + serving_table().hop_s * (device_count - 1),
    }
    if host is not None and host_ratio:
        parts["host_memory"] = host_ratio * _decode_s(case, host.device)
    return parts


def _decode_arithmetic_s(case: _Case, constants: ServingConstants, peak: float, few: float) -> float:
    """Return the seconds of arithmetic of one token for every user: few at once do not reach the rate of prompts.

    Args:
        case: What is asked.
        constants: Of the class of devices.
        peak: Of the device, FLOP/s.
        few: Share of it that packed weights reach for few users.
    """
    of_one, users = 2.0 * active_count(case.model), case.job.users
    rate = _arithmetic_rate(constants, peak, case)
    if case.weights.bits >= 16 or (users == 1 and few == _FEW_USERS):
        return users * of_one / rate
    return min(users * of_one / (peak * few), max(users, _MANY_USERS) * of_one / rate)


def _shortness(constants: ServingConstants, weights: WeightFormat) -> float:
    return constants.short if weights.bits < 16 else 1.0


def _layer_s(constants: ServingConstants, job: ServingJob) -> float:
    return constants.layer_old_s if _is_before(GRAPHS_SINCE, job) else constants.layer_s


def _is_before(year: int, job: ServingJob) -> bool:
    """Return whether the program that serves is older than a year."""
    return job.year is not None and job.year < year


def _arithmetic_rate(constants: ServingConstants, peak: float, case: _Case) -> float:
    is_old = _is_before(PACKED_SINCE, case.job)
    slope, packed = (constants.slope_old, constants.unpacking_old) if is_old else (constants.slope, constants.unpacking)
    share: float = constants.arithmetic * (peak / _REFERENCE_FLOP_PER_S) ** -slope
    mixed: float = constants.experts if case.model.experts else 1.0
    return peak * min(share, 1.0) * (packed if case.weights.bits < 16 else 1.0) * mixed


def _memory(case: _Case, device: Device, device_count: int, host: Host | None) -> ServingMemory:
    job, model = case.job, case.model
    cache = job.users * case.cache_bytes(job.room)
    scores = 4.0 * min(BATCH, job.prompt_tokens) * (model.vocabulary + 4 * model.width)
    is_host = device.device_class in ("cpu", "apple")
    work = scores + (0.0 if is_host else _CONTEXT_BYTES * device_count)
    total = case.weights_bytes + cache + work
    one = host.memory_bytes if host is not None and device.device_class == "cpu" else usable_bytes(device)
    available = None if one is None else one * (1 if is_host else device_count)
    total -= 0.0 if device.device_class == "cpu" else case.table_bytes
    fits = None if available is None else total <= available
    share = 0.0
    if fits is False and available is not None and host is not None and not is_host:
        share = min(1.0, (total - available) / (case.weights_bytes + cache))
        spare = host.memory_bytes / safety_ratio()
        spare -= available if device.device_class == "soc" else 0.0  # its memory is a part of the computer's
        fits = total - available <= spare and share < 1.0
        share = share if fits else 0.0
    return ServingMemory(
        weights_bytes=case.weights_bytes,
        cache_bytes=cache,
        work_bytes=work,
        total_bytes=total,
        interval=Interval(low=total / _MEMORY_WIDTH, high=total * _MEMORY_WIDTH),
        available_bytes=available,
        fits=fits,
        host_ratio=share,
    )


def _limit(parts: dict[ServingLimit, float]) -> ServingLimit:
    return max(parts, key=lambda name: parts[name])


def _around(value: float, sigma: float) -> Interval:
    width = math.exp(Z80 * sigma)
    return Interval(low=value / width, high=value * width)
