"""Write tokens with small decoders: each step reads all their weights and the keys and values of what was before.

The decoders are of the usual kind (Touvron et al. 2023, LLaMA), written in the operations in which such a model is
usually run in PyTorch: the norm by hand, keys and values appended to those before (Hugging Face transformers 5,
``LlamaRMSNorm``, ``DynamicCache``). A fused norm and a cache of fixed length take a fifth less of a layer's own time.
"""

import statistics
from collections.abc import Callable, Mapping

import msgspec
import torch
from torch import Tensor, nn
from torch.nn import functional

from advisor.records.channel import CaseResult
from advisor.records.results.measured.measurement import Case
from advisor.worker.memory import PeakMemory
from advisor.worker.memory_guard import require_room
from advisor.worker.timing import Progress, time_iterations
from advisor.worker.torch_settings import dtype_of

_SHORTEST, _LONGEST = 64, 256
"""Tokens in the cache when writing begins, and when it begins anew."""
_PROMPT = 128
"""Tokens of a prompt whose product is timed in three formats."""


class _Norm(nn.Module):
    """Scaling by the root mean square, operation by operation."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, state: Tensor) -> Tensor:
        """Return the scaled state."""
        exact = state.float()
        scaled = exact * torch.rsqrt(exact.pow(2).mean(-1, keepdim=True) + 1e-6)
        return self.weight * scaled.to(self.weight.dtype)


class _Layer(nn.Module):
    """Attention over all that was written, then the feed-forward part."""

    start: Tensor

    def __init__(self, width: int, heads: int, inner: int) -> None:
        super().__init__()
        self.heads = heads
        self.first, self.second = _Norm(width), _Norm(width)
        self.query, self.key, self.value, self.outward = (nn.Linear(width, width, bias=False) for _ in range(4))
        self.gate, self.up = nn.Linear(width, inner, bias=False), nn.Linear(width, inner, bias=False)
        self.down = nn.Linear(inner, width, bias=False)
        self.register_buffer("start", torch.zeros(1, heads, _SHORTEST, width // heads))
        self.begin()

    def begin(self) -> None:
        """Forget what was written."""
        self.keys = self.values = self.start

    def forward(self, state: Tensor, turn: tuple[Tensor, Tensor]) -> Tensor:
        """Return the state after the layer; shape (1, 1, width)."""
        seen = self.first(state)
        query, key, value = (one(seen).view(1, 1, self.heads, -1).transpose(1, 2) for one in self._inward())
        self.keys = torch.cat((self.keys, _turned(key, *turn)), 2)
        self.values = torch.cat((self.values, value), 2)
        found = functional.scaled_dot_product_attention(_turned(query, *turn), self.keys, self.values)
        state = state + self.outward(found.transpose(1, 2).reshape(1, 1, -1))
        middle = self.second(state)
        after: Tensor = state + self.down(functional.silu(self.gate(middle)) * self.up(middle))
        return after

    def _inward(self) -> tuple[nn.Linear, nn.Linear, nn.Linear]:
        return self.query, self.key, self.value


def _turned(part: Tensor, cosine: Tensor, sine: Tensor) -> Tensor:
    """Return queries or keys with their place turned into them; shape (1, heads, 1, size)."""
    front, back = part.chunk(2, -1)
    return part * cosine + torch.cat((-back, front), -1) * sine


class Decoder(nn.Module):
    """A decoder that writes one token after the other.

    Args:
        layers, width, heads, inner, vocabulary: As usual; weights in fp32.
    """

    cosine: Tensor
    sine: Tensor

    def __init__(self, *, layers: int, width: int, heads: int, inner: int, vocabulary: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, width)
        self.layers = nn.ModuleList(_Layer(width, heads, inner) for _ in range(layers))
        self.norm, self.head = _Norm(width), nn.Linear(width, vocabulary, bias=False)
        self.register_buffer("cosine", torch.ones(width // heads))
        self.register_buffer("sine", torch.zeros(width // heads))
        self._place = _SHORTEST

    def forward(self, token: Tensor) -> Tensor:
        """Return the next token, shape (1, 1), given the last one; a full cache is begun anew."""
        if self._place == _LONGEST:
            self.begin()
        self._place += 1
        state = self.embedding(token)
        for layer in self.layers:
            state = layer(state, (self.cosine, self.sine))
        written: Tensor = self.head(self.norm(state)).argmax(-1)
        return written

    def begin(self) -> None:
        """Forget what was written."""
        self._place = _SHORTEST
        for layer in self.layers:
            layer.begin()  # type: ignore[operator]

    @property
    def read_bytes(self) -> int:
        """Bytes of the weights that a token reads: without the table of tokens, of which it reads a row."""
        numbers = sum(one.numel() for one in self.parameters()) - self.embedding.weight.numel()
        return numbers * self.head.weight.element_size()


SHAPES: Mapping[str, dict[str, int]] = {
    "wide": {"layers": 2, "width": 2048, "heads": 32, "inner": 5632, "vocabulary": 2048},
    "narrow": {"layers": 6, "width": 896, "heads": 14, "inner": 4864, "vocabulary": 896},
    "deep": {"layers": 16, "width": 512, "heads": 8, "inner": 1408, "vocabulary": 512},
}
"""Layers as wide as those of TinyLlama, whose time is reading; as wide as those of Qwen 2.5 0.5B, read more slowly, as
each product is shared among the cores anew; and so many small ones that what each layer takes besides counts. None fits
in a cache of 128 MiB."""


def run_decode(case: Case, device: torch.device, progress: Progress) -> CaseResult:
    """Time the writing of tokens with the decoders of ``SHAPES``; ``split_time`` says what the details hold."""
    require_room(case, device)
    peak = PeakMemory(device)
    third = msgspec.structs.replace(case, budget_s=case.budget_s / len(SHAPES))
    decoders = {name: _decoder(shape, device, case) for name, shape in SHAPES.items()}
    with torch.inference_mode():
        timings = {
            name: time_iterations(_writer(one, device), device, third, progress) for name, one in decoders.items()
        }
    seconds = {name: statistics.median(timing.samples_s) for name, timing in timings.items()}
    return CaseResult(
        case_id=case.id,
        samples_s=timings["wide"].samples_s,
        iterations_per_sample=timings["wide"].iterations_per_sample,
        parameters=sum(one.numel() for one in decoders["wide"].parameters()),
        peak_memory_bytes=peak.peak_bytes(),
        details=split_time({name: (one, seconds[name]) for name, one in decoders.items()})
        | _speedups(device, case, progress),
    )


def split_time(timed: Mapping[str, tuple[Decoder, float]]) -> dict[str, float]:
    """Return what explains the seconds of a token of the three decoders.

    ``layer_s`` is what each layer takes besides reading, ``read_bytes_per_s`` the rate of reading in layers as wide as
    those of the wide decoder, ``narrow_read_bytes_per_s`` that of the narrow one. Where noise leaves nothing for the
    layers, all of the time is reading.
    """
    (wide, wide_s), (narrow, narrow_s), (deep, deep_s) = (timed[name] for name in ("wide", "narrow", "deep"))
    ratio = len(narrow.layers) / len(deep.layers)
    byte_s = (narrow_s - ratio * deep_s) / (narrow.read_bytes - ratio * deep.read_bytes)
    layer_s = (deep_s - deep.read_bytes * byte_s) / len(deep.layers)
    left_s = wide_s - len(wide.layers) * layer_s
    if byte_s <= 0 or layer_s < 0 or left_s <= 0:
        byte_s, layer_s, left_s = narrow_s / narrow.read_bytes, 0.0, wide_s
    return {
        "read_bytes_per_s": wide.read_bytes / left_s,
        "narrow_read_bytes_per_s": 1 / byte_s,
        "layer_s": layer_s,
    }


def _speedups(device: torch.device, case: Case, progress: Progress) -> dict[str, float]:
    """Return how many times as fast as in fp32 the widest product of a prompt is in bfloat16 and in fp16.

    Some processors have instructions for them; without them it is slower.
    """
    width, inner = SHAPES["wide"]["width"], SHAPES["wide"]["inner"]
    short = msgspec.structs.replace(case, budget_s=case.budget_s / 10)

    def product_s(dtype: torch.dtype) -> float:
        layer = nn.Linear(width, inner, bias=False, device=device, dtype=dtype)
        tokens = torch.ones(_PROMPT, width, device=device, dtype=dtype)
        return statistics.median(time_iterations(lambda: layer(tokens), device, short, progress).samples_s)

    with torch.inference_mode():
        fp32_s = product_s(torch.float32)
        found = {"bf16_speedup": fp32_s / product_s(torch.bfloat16)}
        try:
            found["fp16_speedup"] = fp32_s / product_s(torch.float16)
        except RuntimeError as error:  # PyTorch before 2.1 has no such product for a processor
            if "not implemented" not in str(error):
                raise
    return found


def _decoder(shape: dict[str, int], device: torch.device, case: Case) -> Decoder:
    with torch.device(device):
        return Decoder(**shape).to(dtype_of(case)).eval()


def _writer(decoder: Decoder, device: torch.device) -> Callable[[], object]:
    """Return what writes one more token."""
    token = torch.zeros(1, 1, dtype=torch.long, device=device)

    def step() -> None:
        nonlocal token
        token = decoder(token)

    return step
