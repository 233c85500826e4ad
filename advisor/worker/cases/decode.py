"""Write tokens with a small decoder: each step reads all its weights and the keys and values of what was before.

The decoder is of the usual kind (Touvron et al. 2023, LLaMA): normalized by the root mean square, gated feed-forward,
scaled dot-product attention over a cache. Positions are left out; they move no weights.
"""

import statistics
from collections.abc import Callable

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

_SHORTEST = 64
"""Tokens in the cache when writing begins."""


class _Layer(nn.Module):
    """Attention over a cache of fixed length, then the feed-forward part."""

    cache: Tensor

    def __init__(self, width: int, heads: int, inner: int, length: int) -> None:
        super().__init__()
        self.heads = heads
        self.first, self.second = nn.RMSNorm(width), nn.RMSNorm(width)
        self.inward = nn.Linear(width, 3 * width, bias=False)
        self.outward = nn.Linear(width, width, bias=False)
        self.gate, self.up = nn.Linear(width, inner, bias=False), nn.Linear(width, inner, bias=False)
        self.down = nn.Linear(inner, width, bias=False)
        self.register_buffer("cache", torch.zeros(2, 1, heads, length, width // heads))

    def forward(self, state: Tensor, place: int) -> Tensor:
        """Return the state after the layer; shape (1, 1, width)."""
        parts = self.inward(self.first(state)).view(3, 1, self.heads, 1, -1)
        self.cache[:, :, :, place] = parts[1:, :, :, 0]
        keys, values = self.cache[:, :, :, : place + 1]
        seen = functional.scaled_dot_product_attention(parts[0], keys, values)
        state = state + self.outward(seen.reshape(1, 1, -1))
        middle = self.second(state)
        after: Tensor = state + self.down(functional.silu(self.gate(middle)) * self.up(middle))
        return after


class Decoder(nn.Module):
    """A decoder that writes one token after the other.

    Args:
        layers, width, heads, inner, vocabulary: As usual; weights in fp32.
        length: Tokens that the cache has room for.
    """

    def __init__(self, *, layers: int, width: int, heads: int, inner: int, vocabulary: int, length: int = 256) -> None:
        super().__init__()
        self.length = length
        self.embedding = nn.Embedding(vocabulary, width)
        self.layers = nn.ModuleList(_Layer(width, heads, inner, length) for _ in range(layers))
        self.norm, self.head = nn.RMSNorm(width), nn.Linear(width, vocabulary, bias=False)

    def forward(self, token: Tensor, place: int) -> Tensor:
        """Return the next token, shape (1, 1), given the last one and how many stand before it."""
        state = self.embedding(token)
        for layer in self.layers:
            state = layer(state, place)
        written: Tensor = self.head(self.norm(state)).argmax(-1)
        return written

    @property
    def read_bytes(self) -> int:
        """Bytes of the weights that a token reads: without the table of tokens, of which it reads a row."""
        numbers = sum(one.numel() for one in self.parameters()) - self.embedding.weight.numel()
        return numbers * self.head.weight.element_size()


WIDE = {"layers": 2, "width": 2048, "heads": 32, "inner": 5632, "vocabulary": 2048}
"""Layers as wide as those of TinyLlama: reading their weights takes nearly all of the time."""
DEEP = {"layers": 12, "width": 256, "heads": 4, "inner": 704, "vocabulary": 256}
"""Layers so small that starting their operations takes most of the time."""


def run_decode(case: Case, device: torch.device, progress: Progress) -> CaseResult:
    """Time the writing of tokens with a wide decoder, then with a deep one.

    From both together follow, in the details, the bytes of weights read in a second (``read_bytes_per_s``) and what
    each layer takes besides (``layer_s``).
    """
    require_room(case, device)
    peak = PeakMemory(device)
    half = msgspec.structs.replace(case, budget_s=case.budget_s / 2)
    wide, deep = (_decoder(shape, device, case) for shape in (WIDE, DEEP))
    with torch.inference_mode():
        timing = time_iterations(_writer(wide, device), device, half, progress)
        beside = time_iterations(_writer(deep, device), device, half, progress)
    wide_s, deep_s = statistics.median(timing.samples_s), statistics.median(beside.samples_s)
    return CaseResult(
        case_id=case.id,
        samples_s=timing.samples_s,
        iterations_per_sample=timing.iterations_per_sample,
        parameters=sum(one.numel() for one in wide.parameters()),
        peak_memory_bytes=peak.peak_bytes(),
        details=split_time((wide, wide_s), (deep, deep_s)),
    )


def split_time(*timed: tuple[Decoder, float]) -> dict[str, float]:
    """Return the rate of reading and the time of a layer that explain the times of a token of two decoders.

    Where noise leaves nothing for the layers, all of the first one's time is reading.
    """
    (wide, wide_s), (deep, deep_s) = timed
    ratio = len(wide.layers) / len(deep.layers)
    byte_s = (wide_s - ratio * deep_s) / (wide.read_bytes - ratio * deep.read_bytes)
    layer_s = (deep_s - deep.read_bytes * byte_s) / len(deep.layers)
    if byte_s <= 0 or layer_s < 0:
        byte_s, layer_s = wide_s / wide.read_bytes, 0.0
    return {"read_bytes_per_s": 1 / byte_s, "layer_s": layer_s}


def _decoder(shape: dict[str, int], device: torch.device, case: Case) -> Decoder:
    with torch.device(device):
        return Decoder(**shape).to(dtype_of(case)).eval()


def _writer(decoder: Decoder, device: torch.device) -> Callable[[], object]:
    """Return what writes one more token; the cache starts again when it is full."""
    token, place = torch.zeros(1, 1, dtype=torch.long, device=device), _SHORTEST

    def step() -> None:
        nonlocal token, place
        token = decoder(token, place)
        place = place + 1 if place + 1 < decoder.length else _SHORTEST

    return step
