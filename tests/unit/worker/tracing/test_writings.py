"""However a network is written, its work is the same: torch's own layers or by hand, compiled, wrapped, laid out."""

from collections.abc import Callable

import pytest
import torch
from torch import nn
from torch.nn import functional
from torch.nn.utils import parametrizations
from torch.utils.checkpoint import checkpoint

from advisor.predict.coefficients import memory_coefficients
from advisor.predict.memory import footprint
from advisor.records.job.work import Network
from advisor.records.job.workload import Workload
from advisor.units import GB
from advisor.worker.tracing.trace import trace_module
from tests.unit.worker.tracing.traced import images, product_flop

pytestmark = pytest.mark.torch

WIDTH, HEADS, TOKENS = 256, 8, 64


class ByHand(nn.Module):
    """A transformer block as people write it: one product for query, key and value, and torch's fused attention."""

    def __init__(self) -> None:
        super().__init__()
        self.inward: nn.Module = nn.Linear(WIDTH, 3 * WIDTH)
        self.outward: nn.Module = nn.Linear(WIDTH, WIDTH)
        self.first, self.second = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.wide, self.narrow = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def attend(self, values: torch.Tensor) -> torch.Tensor:
        """Return the values after attention, of the same shape (batch, tokens, width)."""
        size = (*values.shape[:2], HEADS, WIDTH // HEADS)
        query, key, value = (part.view(size).transpose(1, 2) for part in self.inward(values).chunk(3, -1))
        mixed = functional.scaled_dot_product_attention(query, key, value, dropout_p=0.1 if self.training else 0.0)
        return self.outward(mixed.transpose(1, 2).reshape(values.shape))

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        """Return the values after attention and two dense layers."""
        values = self.first(values + functional.dropout(self.attend(values), 0.1, self.training))
        wide = functional.dropout(functional.gelu(self.wide(values)), 0.1, self.training)
        return self.second(values + functional.dropout(self.narrow(wide), 0.1, self.training))


class Attends(ByHand):
    """The same block around torch's own attention."""

    def __init__(self) -> None:
        super().__init__()
        self.inward, self.outward = nn.Identity(), nn.Identity()
        self.attention = nn.MultiheadAttention(WIDTH, HEADS, dropout=0.1, batch_first=True)

    def attend(self, values: torch.Tensor) -> torch.Tensor:
        """Return the values after attention, of the same shape (batch, tokens, width)."""
        mixed: torch.Tensor = self.attention(values, values, values, need_weights=False)[0]
        return mixed


class Checkpointed(nn.Module):
    """Computes its blocks again in the backward pass."""

    def __init__(self, blocks: list[nn.Module], *, reentrant: bool = False) -> None:
        super().__init__()
        self.blocks, self.reentrant = nn.ModuleList(blocks), reentrant

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        """Return the values after all blocks."""
        for block in self.blocks:
            values = checkpoint(block, values, use_reentrant=self.reentrant)
        return values


def own_blocks(count: int = 2, **settings: bool) -> nn.Module:
    """Return torch's own encoder of so many blocks."""
    layer = nn.TransformerEncoderLayer(WIDTH, HEADS, 4 * WIDTH, activation="gelu", **{"batch_first": True} | settings)
    return nn.TransformerEncoder(layer, count, enable_nested_tensor=False)


def by_hand(count: int = 2) -> nn.Module:
    """Return as many blocks written by hand."""
    return nn.Sequential(*[ByHand() for _ in range(count)])


def convolutions() -> nn.Module:
    """Return a small convolutional network."""
    body = [nn.Conv2d(3, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.Conv2d(32, 32, 3, padding=1)]
    return nn.Sequential(*body, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(32, 10))


def parametrized() -> nn.Module:
    """Return the blocks with a weight that is computed from its direction and length."""
    blocks = by_hand()
    parametrizations.weight_norm(blocks[0].wide)  # type: ignore[index]
    return blocks


def sequences(batch: int) -> torch.Tensor:
    """Return a batch of sequences, the samples first."""
    return torch.empty(batch, TOKENS, WIDTH)


def sequences_across(batch: int) -> torch.Tensor:
    """Return a batch of sequences, the steps first."""
    return torch.empty(TOKENS, batch, WIDTH)


def channels_last(batch: int) -> torch.Tensor:
    """Return a batch of images with their colours last."""
    return images(32)(batch).to(memory_format=torch.channels_last)


PAIRS: dict[str, tuple[Callable[[], Network], Callable[[], Network]]] = {
    "torch's encoder": (lambda: trace_module(own_blocks(), sequences), lambda: trace_module(by_hand(), sequences)),
    "its steps first": (
        lambda: trace_module(own_blocks(batch_first=False), sequences_across),
        lambda: trace_module(by_hand(), sequences),
    ),
    "torch's attention": (
        lambda: trace_module(Attends(), sequences),
        lambda: trace_module(ByHand(), sequences),
    ),
    "compiled": (
        lambda: trace_module(torch.compile(convolutions()), images(32)),  # type: ignore[arg-type]
        lambda: trace_module(convolutions(), images(32)),
    ),
    "a compiled encoder": (
        lambda: trace_module(torch.compile(own_blocks()), sequences),  # type: ignore[arg-type]
        lambda: trace_module(by_hand(), sequences),
    ),
    "channels last": (
        lambda: trace_module(convolutions().to(memory_format=torch.channels_last), channels_last),  # type: ignore[call-overload]
        lambda: trace_module(convolutions(), images(32)),
    ),
    "checkpointed": (
        lambda: trace_module(Checkpointed([own_blocks(1) for _ in range(3)]), sequences),
        lambda: trace_module(Checkpointed([by_hand(1) for _ in range(3)]), sequences),
    ),
    "checkpointed as before PyTorch 2": (
        lambda: trace_module(nn.Sequential(nn.Linear(WIDTH, WIDTH), Checkpointed(thrice(), reentrant=True)), sequences),
        lambda: trace_module(nn.Sequential(nn.Linear(WIDTH, WIDTH), Checkpointed(thrice())), sequences),
    ),
    "parametrized": (lambda: trace_module(parametrized(), sequences), lambda: trace_module(by_hand(), sequences)),
    "wrapped": (
        lambda: trace_module(nn.DataParallel(by_hand()), sequences),
        lambda: trace_module(by_hand(), sequences),
    ),
    "steps first in an LSTM": (
        lambda: trace_module(Last(nn.LSTM(WIDTH, WIDTH)), sequences_across),
        lambda: trace_module(Last(nn.LSTM(WIDTH, WIDTH, batch_first=True)), sequences),
    ),
}


def thrice() -> list[nn.Module]:
    """Return three blocks written by hand."""
    return [by_hand(1) for _ in range(3)]


class Last(nn.Module):
    """The output of a recurrent layer without its states."""

    def __init__(self, layer: nn.Module) -> None:
        super().__init__()
        self.layer = layer

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        """Return the output of all steps."""
        return self.layer(values)[0]


def step_bytes(network: Network) -> float:
    """Return the memory of a training step with four samples, without what the framework takes before."""
    job = Workload(id="pair", title="", network="own", samples=100, batch_size=4)
    taken = footprint(network, job, is_cpu=True)
    return taken.total(4) - taken.context_bytes


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*script_method:DeprecationWarning")  # torch, where it compiles
@pytest.mark.parametrize("name", PAIRS)
def test_two_writings_of_a_network_are_the_same_work(name: str) -> None:
    """Products agree within 2 %, memory within 5 %: torch's own attention copies once more than by hand."""
    one, other = (trace() for trace in PAIRS[name])
    assert product_flop(one) == pytest.approx(product_flop(other), rel=0.02)
    assert step_bytes(one) == pytest.approx(step_bytes(other), rel=0.05)
    assert one.attention == other.attention


def test_attention_asked_for_its_weights_is_taken_apart() -> None:
    """Torch computes it by products and softmax then, on every device."""

    class Weighs(Attends):
        def attend(self, values: torch.Tensor) -> torch.Tensor:
            return self.attention(values, values, values)[0]

    assert trace_module(Weighs(), sequences).attention is None
    assert trace_module(Attends(), sequences).attention == "fused"


class NnUnet(nn.Module):
    """A 3-D network as nnU-Net plans it for patches of 128 x 128 x 128 with four channels."""

    def __init__(self, widths: tuple[int, ...] = (32, 64, 128, 256, 320, 320)) -> None:
        super().__init__()
        ins = (4, *widths)
        self.down = nn.ModuleList(pair(ins[at], width, 1 + (at > 0)) for at, width in enumerate(widths))
        steps = list(zip(widths[:0:-1], widths[-2::-1], strict=True))
        self.up = nn.ModuleList(nn.ConvTranspose3d(deep, high, 2, 2) for deep, high in steps)
        self.join = nn.ModuleList(pair(2 * high, high, 1) for _, high in steps)
        self.score = nn.ModuleList(nn.Conv3d(high, 3, 1) for _, high in steps[1:])

    def forward(self, values: torch.Tensor) -> list[torch.Tensor]:
        """Return the scores at every resolution but the coarsest."""
        skipped = []
        for part in self.down:
            values = part(values)
            skipped.append(values)
        scores = []
        for at, (up, join) in enumerate(zip(self.up, self.join, strict=True)):
            values = join(torch.cat([up(values), skipped[-2 - at]], 1))
            if at:
                scores.append(self.score[at - 1](values))
        return scores


def pair(inputs: int, outputs: int, stride: int) -> nn.Module:
    """Return two convolutions with norms."""
    layers: list[nn.Module] = []
    for width, step in ((inputs, stride), (outputs, 1)):
        layers += [nn.Conv3d(width, outputs, 3, step, 1), nn.InstanceNorm3d(outputs, affine=True)]
        layers.append(nn.LeakyReLU(0.01, inplace=True))
    return nn.Sequential(*layers)


def every_loss(scores: list[torch.Tensor], _inputs: torch.Tensor) -> torch.Tensor:
    """Return the cross-entropy of all resolutions."""
    targets = [torch.empty((len(one), *one.shape[2:]), dtype=torch.int64, device="meta") for one in scores]
    return torch.stack([functional.cross_entropy(*both) for both in zip(scores, targets, strict=True)]).sum()


@pytest.mark.slow
def test_a_network_for_volumes_takes_the_memory_that_was_published() -> None:
    """nnU-Net with a batch of two: 7 to 9 GB in mixed precision, 12 GB (a TITAN X full) without.

    Source: github.com/MIC-DKFZ/nnUNet, issue 658 (2021-07-14).
    """
    network = trace_module(NnUnet(), lambda batch: torch.empty(batch, 4, 128, 128, 128), loss=every_loss)
    job = {"id": "volumes", "title": "", "network": "own", "samples": 100, "batch_size": 2, "optimizer": "sgd"}
    short, full = (footprint(network, Workload(**job, precision=name)).total(2) / GB for name in ("amp", "fp32"))  # type: ignore[arg-type]
    assert 7 < short < 9
    assert full == pytest.approx(12, rel=0.07)


class Drops(nn.Module):
    """Attention and what follows it, both with dropout."""

    def __init__(self) -> None:
        super().__init__()
        self.inside, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        """Return (batch, steps, width)."""
        asked, keys, held = (
            one.unflatten(-1, (HEADS, -1)).transpose(1, 2) for one in self.inside(values).chunk(3, dim=-1)
        )
        mixed = functional.scaled_dot_product_attention(asked, keys, held, dropout_p=0.1)
        return functional.dropout(self.out(mixed.transpose(1, 2).flatten(2)), 0.1)


def test_dropout_on_a_processor_keeps_what_torch_keeps() -> None:
    """A real step's saved tensors; a card keeps a byte for each number dropped, and no scores."""
    network, module, batch = trace_module(Drops(), sequences), Drops(), 4
    own = {parameter.untyped_storage().data_ptr() for parameter in module.parameters()}
    kept: dict[int, torch.Tensor] = {}

    def keep(tensor: torch.Tensor) -> torch.Tensor:
        kept[tensor.untyped_storage().data_ptr()] = tensor
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        loss = functional.cross_entropy(module(sequences(batch)).flatten(1), torch.zeros(batch, dtype=torch.int64))
    real = sum(tensor.untyped_storage().nbytes() for at, tensor in kept.items() if at not in own)
    assert loss.requires_grad
    job = Workload(id="drops", title="", network="own", samples=100, batch_size=batch)
    here, card = (footprint(network, job, is_cpu=kind).saved_per_sample_bytes * batch for kind in (True, False))
    assert here == pytest.approx(real * memory_coefficients().peak, rel=0.05)
    assert card < 0.6 * here


class Sequences(nn.Module):
    """An LSTM over sequences, packed or not."""

    def __init__(self, layers: int, *, packed: bool) -> None:
        super().__init__()
        self.body, self.head = nn.LSTM(64, 512, layers, batch_first=True), nn.Linear(512, 5)
        self.packed = packed

    def forward(self, values: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """Return scores (batch, 5)."""
        if not self.packed:
            return self.head(self.body(values)[0][:, -1])
        packed = nn.utils.rnn.pack_padded_sequence(values, lengths, batch_first=True, enforce_sorted=False)
        output, _ = nn.utils.rnn.pad_packed_sequence(self.body(packed)[0], batch_first=True)
        return self.head(output[:, -1])


def _sequences(batch: int) -> tuple[torch.Tensor, torch.Tensor]:
    return torch.empty(batch, 100, 64), torch.full((batch,), 100, device="cpu")


def test_packed_sequences_are_the_same_layer() -> None:
    """One fused operation with the same work, where there were products for each step."""
    plain, packed = (trace_module(Sequences(2, packed=packed), _sequences) for packed in (False, True))
    recurrent = [[o for o in network.operations if o.kind == "recurrent"] for network in (plain, packed)]
    assert recurrent[0] == recurrent[1]
    assert product_flop(packed) == pytest.approx(product_flop(plain), rel=0.02)


@pytest.mark.parametrize(("layers", "packed", "process_mb"), [(1, False, 218), (2, True, 349)])
def test_an_lstm_takes_on_a_processor_what_a_process_took(layers: int, packed: bool, process_mb: float) -> None:
    """64 sequences, torch 2.13 on one core; it was half of that without what oneDNN keeps."""
    network = trace_module(Sequences(layers, packed=packed), _sequences)
    workload = Workload(id="x", title="x", network="x", samples=64, precision="fp32")
    found = footprint(network, workload, is_cpu=True)
    taken = found.per_sample_bytes * 64 / memory_coefficients().peak
    assert taken / 1e6 == pytest.approx(process_mb, rel=0.15)
