"""Ordinary networks that no suite contains, to hold the sum of classes of work against plain loops."""

from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from torch import nn
from torch.nn import functional as F  # noqa: N812


class Residual(nn.Module):
    def __init__(
        self, body: nn.Module, short: nn.Module | None = None, last: Callable[[], nn.Module] = nn.ReLU
    ) -> None:
        super().__init__()
        self.body, self.short, self.last = body, short or nn.Identity(), last()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.last(self.body(x) + self.short(x))


class Joined(nn.Module):
    """Puts what it computes beside its input."""

    def __init__(self, body: nn.Module) -> None:
        super().__init__()
        self.body = body

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.cat([x, self.body(x)], 1)


class Mean(nn.Module):
    def __init__(self, *dims: int) -> None:
        super().__init__()
        self.dims = dims

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.mean(self.dims)


class Swapped(nn.Module):
    """Works along the second dimension."""

    def __init__(self, body: nn.Module) -> None:
        super().__init__()
        self.body = body

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.body(x.transpose(1, 2)).transpose(1, 2)


class LastStep(nn.Module):
    def __init__(self, layer: type[nn.LSTM | nn.GRU], inputs: int, hidden: int, layers: int) -> None:
        super().__init__()
        self.layer, self.head = layer(inputs, hidden, layers, batch_first=True), nn.Linear(hidden, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.layer(x)[0][:, -1])


class Patches(nn.Module):
    def __init__(self, width: int, edge: int = 8) -> None:
        super().__init__()
        self.cut = nn.Conv2d(3, width, edge, edge)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.cut(x).flatten(2).transpose(1, 2)


class UNet(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.down = nn.ModuleList(double(i, o) for i, o in ((3, 16), (16, 32), (32, 64)))
        self.up = nn.ModuleList(nn.ConvTranspose2d(i, i // 2, 2, 2) for i in (64, 32))
        self.join = nn.ModuleList(double(i, i // 2) for i in (64, 32))
        self.head = nn.Conv2d(16, 2, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        kept: list[torch.Tensor] = []
        for block in self.down:
            x = block(x if not kept else F.max_pool2d(x, 2))
            kept.append(x)
        for up, join, beside in zip(self.up, self.join, kept[-2::-1], strict=True):
            x = join(torch.cat([up(x), beside], 1))
        return self.head(x)


def conv_bn(
    i: int,
    o: int,
    kernel: int = 3,
    stride: int = 1,
    groups: int = 1,
    act: Callable[[], nn.Module] | None = nn.ReLU,
) -> list[nn.Module]:
    layers: list[nn.Module] = [
        nn.Conv2d(i, o, kernel, stride, kernel // 2, groups=groups, bias=False),
        nn.BatchNorm2d(o),
    ]
    return [*layers, act()] if act else layers


def double(i: int, o: int) -> nn.Module:
    return nn.Sequential(*conv_bn(i, o), *conv_bn(o, o))


def residual(i: int, o: int, stride: int = 1) -> nn.Module:
    short = None if i == o and stride == 1 else nn.Sequential(*conv_bn(i, o, 1, stride, act=None))
    return Residual(nn.Sequential(*conv_bn(i, o, 3, stride), *conv_bn(o, o, act=None)), short)


def bottleneck(width: int, groups: int) -> nn.Module:
    return Residual(
        nn.Sequential(
            *conv_bn(width, width, 1), *conv_bn(width, width, groups=groups), *conv_bn(width, width, 1, act=None)
        )
    )


def pooled(channels: int, classes: int = 10, dims: int = 2) -> list[nn.Module]:
    return [Mean(*range(2, 2 + dims)), nn.Linear(channels, classes)]


def mlp() -> nn.Module:
    return nn.Sequential(nn.Linear(784, 1024), nn.ReLU(), nn.Linear(1024, 1024), nn.ReLU(), nn.Linear(1024, 10))


def large_mlp() -> nn.Module:
    return nn.Sequential(nn.Linear(512, 4096), nn.ReLU(), nn.Linear(4096, 4096), nn.ReLU(), nn.Linear(4096, 1000))


def tabular() -> nn.Module:
    layers = [
        layer for i in (64, 256) for layer in (nn.Linear(i, 256), nn.BatchNorm1d(256), nn.ReLU(), nn.Dropout(0.2))
    ]
    return nn.Sequential(*layers, nn.Linear(256, 2))


def resnet() -> nn.Module:
    return nn.Sequential(*conv_bn(3, 32), residual(32, 32), residual(32, 64, 2), residual(64, 128, 2), *pooled(128))


def vgg() -> nn.Module:
    layers: list[nn.Module] = []
    for i, o in ((3, 64), (64, 128), (128, 256)):
        layers += [nn.Conv2d(i, o, 3, padding=1), nn.ReLU(), nn.Conv2d(o, o, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2)]
    return nn.Sequential(*layers, nn.Flatten(), nn.Linear(4096, 256), nn.ReLU(), nn.Linear(256, 10))


def separable() -> nn.Module:
    layers = conv_bn(3, 32, stride=2, act=nn.ReLU6)
    for i, o, stride in ((32, 64, 1), (64, 128, 2), (128, 128, 1), (128, 256, 2), (256, 256, 1)):
        layers += [*conv_bn(i, i, 3, stride, i, nn.ReLU6), *conv_bn(i, o, 1, act=nn.ReLU6)]
    return nn.Sequential(*layers, *pooled(256, 100))


def grouped() -> nn.Module:
    return nn.Sequential(
        *conv_bn(3, 64, 7, 2), nn.MaxPool2d(3, 2, 1), *(bottleneck(64, 8) for _ in range(3)), *pooled(64)
    )


def dense() -> nn.Module:
    body = [
        Joined(nn.Sequential(nn.BatchNorm2d(c), nn.ReLU(), nn.Conv2d(c, 16, 3, padding=1, bias=False)))
        for c in range(32, 128, 16)
    ]
    return nn.Sequential(nn.Conv2d(3, 32, 3, padding=1), *body, *pooled(128))


def wide() -> nn.Module:
    layers = [nn.Conv2d(3, 128, 5, 2, 2), nn.ReLU(), nn.Conv2d(128, 256, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2)]
    return nn.Sequential(*layers, nn.Conv2d(256, 256, 3, padding=1), nn.ReLU(), *pooled(256))


def autoencoder() -> nn.Module:
    down = [layer for i, o in ((3, 32), (32, 64), (64, 128)) for layer in (nn.Conv2d(i, o, 4, 2, 1), nn.ReLU())]
    up = [layer for i, o in ((128, 64), (64, 32)) for layer in (nn.ConvTranspose2d(i, o, 4, 2, 1), nn.ReLU())]
    return nn.Sequential(*down, *up, nn.ConvTranspose2d(32, 10, 4, 2, 1))


def group_norm() -> nn.Module:
    layers = [
        layer
        for i, o, s in ((3, 48, 1), (48, 96, 2), (96, 96, 1))
        for layer in (nn.Conv2d(i, o, 3, s, 1), nn.GroupNorm(8, o), nn.SiLU())
    ]
    return nn.Sequential(*layers, nn.Upsample(scale_factor=2), nn.Conv2d(96, 8, 3, padding=1))


def temporal() -> nn.Module:
    layers: list[nn.Module] = []
    for place, (i, o) in enumerate(((16, 64), (64, 64), (64, 128), (128, 128))):
        layers += [nn.Conv1d(i, o, 5, padding=2 * 2**place, dilation=2**place), nn.ReLU(), nn.Dropout(0.1)]
    return nn.Sequential(*layers, *pooled(128, dims=1))


def volumes() -> nn.Module:
    layers = [
        layer for i, o in ((1, 16), (16, 32)) for layer in (nn.Conv3d(i, o, 3, padding=1), nn.ReLU(), nn.MaxPool3d(2))
    ]
    return nn.Sequential(*layers, nn.Conv3d(32, 64, 3, padding=1), nn.ReLU(), *pooled(64, 5, 3))


def encoder(width: int, heads: int, layers: int, **options: Any) -> nn.Module:
    layer = nn.TransformerEncoderLayer(width, heads, 4 * width, batch_first=True, norm_first=True, **options)
    return nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)


def vit() -> nn.Module:
    return nn.Sequential(Patches(192), encoder(192, 3, 4, activation="gelu"), Mean(1), nn.Linear(192, 10))


def mixer() -> nn.Module:
    def mixed(inner: int, outer: int) -> nn.Module:
        return nn.Sequential(nn.Linear(inner, outer), nn.GELU(), nn.Linear(outer, inner))

    blocks = [
        block
        for _ in range(4)
        for block in (
            Residual(nn.Sequential(nn.LayerNorm(128), Swapped(mixed(64, 128))), last=nn.Identity),
            Residual(nn.Sequential(nn.LayerNorm(128), mixed(128, 512)), last=nn.Identity),
        )
    ]
    return nn.Sequential(Patches(128), *blocks, Mean(1), nn.Linear(128, 10))


def language_model() -> nn.Module:
    return nn.Sequential(nn.Embedding(8000, 256), encoder(256, 4, 3), nn.Linear(256, 8000))


def bag_of_words() -> nn.Module:
    return nn.Sequential(nn.Embedding(20000, 128), Mean(1), nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, 2))


def lstm() -> nn.Module:
    return LastStep(nn.LSTM, 32, 128, 2)


def gru() -> nn.Module:
    return LastStep(nn.GRU, 32, 128, 1)


class Example(NamedTuple):
    """How to build it, one sample's shape, a small and a large batch, words where its input is tokens."""

    build: Callable[[], nn.Module]
    shape: tuple[int, ...]
    batches: tuple[int, int]
    words: int = 0

    def inputs(self, batch: int) -> torch.Tensor:
        if self.words:
            return torch.randint(0, self.words, (batch, *self.shape))
        return torch.randn(batch, *self.shape)


EXAMPLES = {
    "mlp": Example(mlp, (784,), (16, 512)),
    "large_mlp": Example(large_mlp, (512,), (8, 256)),
    "tabular": Example(tabular, (64,), (32, 1024)),
    "resnet": Example(resnet, (3, 32, 32), (4, 64)),
    "vgg": Example(vgg, (3, 32, 32), (4, 48)),
    "separable": Example(separable, (3, 96, 96), (4, 32)),
    "grouped": Example(grouped, (3, 112, 112), (2, 16)),
    "dense": Example(dense, (3, 32, 32), (4, 48)),
    "wide": Example(wide, (3, 64, 64), (2, 16)),
    "unet": Example(UNet, (3, 96, 96), (2, 16)),
    "autoencoder": Example(autoencoder, (3, 64, 64), (8, 64)),
    "group_norm": Example(group_norm, (3, 48, 48), (2, 24)),
    "temporal": Example(temporal, (16, 256), (8, 96)),
    "volumes": Example(volumes, (1, 16, 32, 32), (2, 16)),
    "vit": Example(vit, (3, 64, 64), (4, 48)),
    "mixer": Example(mixer, (3, 64, 64), (4, 64)),
    "language_model": Example(language_model, (64,), (2, 16), 8000),
    "bag_of_words": Example(bag_of_words, (100,), (32, 512), 20000),
    "lstm": Example(lstm, (50, 32), (8, 128)),
    "gru": Example(gru, (50, 32), (8, 128)),
}
