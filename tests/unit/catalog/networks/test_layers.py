"""A network described by layers is the same work as a trace of the same torch modules."""

import math
from collections.abc import Callable

import pytest

from advisor.catalog.networks.layers import network_of_layers
from advisor.errors import InputError
from advisor.records.job.work import Network
from advisor.records.job.workload import Layer, LayerKind, Workload


def layer(kind: LayerKind, size: int | None = None, **others: object) -> Layer:
    """Return a layer."""
    return Layer(kind=kind, size=size, **others)  # type: ignore[arg-type]


def described(*layers: Layer, image_size: int | None = None, length: int | None = None, channels: int = 3) -> Network:
    """Return the network of these layers."""
    workload = Workload(
        id="mine",
        title="mine",
        network="own",
        samples=100,
        layers=layers,
        image_size=image_size,
        sequence_length=length,
        channels=channels,
    )
    return network_of_layers(workload)


def amounts(network: Network) -> dict[tuple[str, str], tuple[float, float, int]]:
    """Return FLOP, bytes and kernels of a batch of 8 by phase and kind."""
    sums: dict[tuple[str, str], tuple[float, float, int]] = {}
    for operation in network.operations:
        flop, moved, kernels = sums.get((operation.phase, operation.kind), (0.0, 0.0, 0))
        sums[operation.phase, operation.kind] = (
            flop + operation.count * (8 * operation.flop_per_sample + operation.flop_fixed),
            moved + operation.count * (8 * operation.bytes_per_sample + operation.bytes_fixed),
            kernels + operation.count * operation.kernels,
        )
    return sums


IMAGE = (
    layer("conv", 8, padding="valid"),
    layer("batch_norm"),
    layer("activation"),
    layer("max_pool"),
    layer("conv", 16, kernel=5, stride=2),
    layer("activation"),
    layer("avg_pool"),
    layer("flatten"),
    layer("dense", 32),
    layer("activation"),
    layer("dropout"),
    layer("dense", 10),
)
POOLED = (layer("conv", 8, repeat=2), layer("global_pool"), layer("dense", 10))
TEXT = (
    layer("embedding", 64, vocabulary=1000),
    layer("transformer", heads=4, repeat=2),
    layer("layer_norm"),
    layer("global_pool"),
    layer("dense", 5),
)
SERIES = (layer("lstm", 32), layer("gru", 16), layer("flatten"), layer("dense", 3))


def torch_image() -> object:
    """Return the modules of IMAGE."""
    from torch import nn

    return nn.Sequential(
        nn.Conv2d(3, 8, 3),
        nn.BatchNorm2d(8),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(8, 16, 5, stride=2, padding=2),
        nn.ReLU(),
        nn.AvgPool2d(2),
        nn.Flatten(),
        nn.Linear(16 * 3 * 3, 32),
        nn.ReLU(),
        nn.Dropout(),
        nn.Linear(32, 10),
    )


def torch_pooled() -> object:
    """Return the modules of POOLED."""
    from torch import nn

    convolutions = (nn.Conv2d(3, 8, 3, padding=1), nn.Conv2d(8, 8, 3, padding=1))
    return nn.Sequential(*convolutions, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 10))


def torch_text() -> object:
    """Return the modules of TEXT."""
    import torch
    from torch import nn

    class Block(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.norms = nn.ModuleList([nn.LayerNorm(64), nn.LayerNorm(64)])
            self.inside, self.out = nn.Linear(64, 192), nn.Linear(64, 64)
            self.feed = nn.Sequential(nn.Linear(64, 256), nn.GELU(), nn.Linear(256, 64))

        def forward(self, text: torch.Tensor) -> torch.Tensor:
            heads = self.inside(self.norms[0](text)).view(*text.shape[:2], 3, 4, 16).permute(2, 0, 3, 1, 4)
            mixed = nn.functional.scaled_dot_product_attention(*heads.unbind(0)).transpose(1, 2).flatten(2)
            text = text + self.out(mixed)
            made: torch.Tensor = text + self.feed(self.norms[1](text))
            return made

    class Text(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.body = nn.Sequential(nn.Embedding(1000, 64), Block(), Block(), nn.LayerNorm(64))
            self.head = nn.Linear(64, 5)

        def forward(self, tokens: torch.Tensor) -> torch.Tensor:
            scores: torch.Tensor = self.head(self.body(tokens).mean(1))
            return scores

    return Text()


def torch_series() -> object:
    """Return the modules of SERIES."""
    import torch
    from torch import nn

    class Series(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first, self.second = nn.LSTM(6, 32, batch_first=True), nn.GRU(32, 16, batch_first=True)
            self.head = nn.Linear(20 * 16, 3)

        def forward(self, series: torch.Tensor) -> torch.Tensor:
            scores: torch.Tensor = self.head(self.second(self.first(series)[0])[0].flatten(1))
            return scores

    return Series()


@pytest.mark.torch
@pytest.mark.parametrize(
    ("build", "layers", "image_size", "length"),
    [
        (torch_image, IMAGE, 28, None),
        (torch_pooled, POOLED, 28, None),
        (torch_text, TEXT, None, 24),
        (torch_series, SERIES, None, 20),
    ],
)
def test_layers_are_the_work_of_the_same_modules(
    build: Callable[[], object], layers: tuple[Layer, ...], image_size: int | None, length: int | None
) -> None:
    """Parameters and products to the last one, bytes within 2 %, kept tensors within 2 %; memory roughly."""
    import torch

    from advisor.worker.tracing.trace import trace_module

    def inputs(batch: int) -> torch.Tensor:
        if image_size is not None:
            return torch.empty(batch, 3, image_size, image_size)
        if layers[0].kind == "embedding":
            return torch.empty(batch, length or 0, dtype=torch.int64)
        return torch.empty(batch, length or 0, 6)

    traced = trace_module(build(), inputs, sample="image")  # type: ignore[arg-type]
    found = described(*layers, image_size=image_size, length=length, channels=3 if image_size else 6)
    assert (found.parameters, found.parameter_tensors) == (traced.parameters, traced.parameter_tensors)
    ours, theirs = amounts(found), amounts(traced)
    for kind in ("gemm", "conv", "attention", "recurrent", "normalization", "pooling", "loss"):
        for phase in ("forward", "backward"):
            expected = theirs.get((phase, kind), (0.0, 0.0, 0))
            assert ours.get((phase, kind), (0.0, 0.0, 0)) == pytest.approx(expected, rel=0.02), (phase, kind)
    moved = [math.fsum(row[1] for row in table.values()) for table in (ours, theirs)]
    assert moved[0] == pytest.approx(moved[1], rel=0.02)
    kernels = [sum(row[2] for row in table.values()) for table in (ours, theirs)]
    assert kernels[0] == pytest.approx(kernels[1], abs=6)
    assert found.saved_bytes_per_sample == pytest.approx(traced.saved_bytes_per_sample, rel=0.02)
    assert found.saved_integer_bytes_per_sample == traced.saved_integer_bytes_per_sample
    assert found.peak_bytes_per_sample == pytest.approx(traced.peak_bytes_per_sample, rel=0.15)
    # A program's own variables keep tensors that layers alone would have freed.
    assert found.inference_bytes_per_sample == pytest.approx(traced.inference_bytes_per_sample, rel=0.5)


@pytest.mark.parametrize(
    ("layers", "sizes", "sentence"),
    [
        ((layer("dense", 10),), {"image_size": 28}, r"number 1 \(dense\) needs a vector; put a flatten"),
        ((layer("conv"),), {"image_size": 28}, "needs a size"),
        (
            (layer("conv", 8, kernel=9, padding="valid"),),
            {"image_size": 8},
            "window of 9, larger than its image of 8 x 8",
        ),
        ((layer("max_pool", kernel=9), layer("conv", 8)), {"image_size": 8}, "window of 9, larger"),
        ((layer("lstm", 8),), {"image_size": 8}, "needs a sequence, but gets 3 x 8 x 8 numbers"),
        ((layer("embedding", 8),), {"length": 8}, "needs a vocabulary"),
        ((layer("dense", 8), layer("embedding", 8, vocabulary=9)), {"length": 8}, "must be the first layer"),
        ((layer("transformer", heads=2),), {"length": 8}, "2 heads, which do not divide its width of 3"),
        ((layer("layer_norm"),), {"image_size": 8}, "use batch_norm for images"),
        ((layer("flatten"), layer("global_pool")), {"image_size": 8}, "needs an image or a sequence"),
        ((layer("activation"),), {"image_size": 8}, "no layer has parameters"),
        ((layer("dense", 8, repeat=3000),), {"length": 8}, "at most 2000"),
        ((layer("dense", 8),), {}, "say what goes in"),
    ],
)
def test_layers_that_do_not_fit_are_refused(layers: tuple[Layer, ...], sizes: dict[str, int], sentence: str) -> None:
    """The sentence names the layer and what to do."""
    with pytest.raises(InputError, match=sentence):
        described(*layers, **sizes)
