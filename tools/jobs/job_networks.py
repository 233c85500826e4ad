"""Networks that no suite contains, as people write them, for ``bench_jobs``; each function is a job of its own."""
# ruff: noqa: D101, D102

from typing import Any

import torch
from torch import nn
from torch.nn import functional as F  # noqa: N812 - as torch's documentation calls it


def mlp() -> nn.Module:
    return nn.Sequential(
        nn.Flatten(), nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 10)
    )


def wide_mlp() -> nn.Module:
    return nn.Sequential(nn.Linear(1024, 4096), nn.GELU(), nn.Linear(4096, 4096), nn.GELU(), nn.Linear(4096, 10))


def _conv(before: int, after: int, stride: int = 1, groups: int = 1, size: int = 3) -> nn.Sequential:
    conv = nn.Conv2d(before, after, size, stride=stride, padding=size // 2, groups=groups, bias=False)
    return nn.Sequential(conv, nn.BatchNorm2d(after), nn.ReLU(inplace=True))


class Residual(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.body = nn.Sequential(_conv(width, width), nn.Conv2d(width, width, 3, padding=1), nn.BatchNorm2d(width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.relu(x + self.body(x))


def small_resnet() -> nn.Module:
    stages = [_conv(3, 32), Residual(32), _conv(32, 64, 2), Residual(64), _conv(64, 128, 2), Residual(128)]
    return nn.Sequential(*stages, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(128, 10))


def vgg_like() -> nn.Module:
    layers, before = [], 3
    for after in (32, 64, 128):
        layers += [nn.Conv2d(before, after, 3, padding=1), nn.ReLU(), nn.Conv2d(after, after, 3, padding=1), nn.ReLU()]
        layers.append(nn.MaxPool2d(2))
        before = after
    return nn.Sequential(*layers, nn.Flatten(), nn.Linear(128 * 64, 256), nn.ReLU(), nn.Linear(256, 10))


def depthwise() -> nn.Module:
    layers, before = [_conv(3, 32, 2)], 32
    for after in (64, 128, 128, 256):
        layers += [_conv(before, before, groups=before), _conv(before, after, size=1)]
        before = after
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(256, 20))


class Unet(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.down1, self.down2, self.bottom = _conv(3, 16), _conv(16, 32), _conv(32, 64)
        self.up2, self.up1 = nn.ConvTranspose2d(64, 32, 2, stride=2), nn.ConvTranspose2d(32, 16, 2, stride=2)
        self.mix2, self.mix1, self.out = _conv(64, 32), _conv(32, 16), nn.Conv2d(16, 8, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        first = self.down1(x)
        second = self.down2(F.max_pool2d(first, 2))
        x = self.bottom(F.max_pool2d(second, 2))
        x = self.mix2(torch.cat([self.up2(x), second], 1))
        return self.out(self.mix1(torch.cat([self.up1(x), first], 1)))


unet = Unet


class Vit(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.patches = nn.Conv2d(3, 128, 8, stride=8)
        layer = nn.TransformerEncoderLayer(128, 4, 256, batch_first=True)
        self.body, self.head = nn.TransformerEncoder(layer, 4, enable_nested_tensor=False), nn.Linear(128, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.body(self.patches(x).flatten(2).transpose(1, 2)).mean(1))


tiny_vit = Vit


class Series(nn.Module):
    def __init__(self, kind: type[nn.LSTM | nn.GRU], **settings: Any) -> None:
        super().__init__()
        self.body = kind(32, 128, batch_first=True, **settings)
        self.head = nn.Linear(256 if settings.get("bidirectional") else 128, 5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.body(x)[0][:, -1])


def lstm() -> nn.Module:
    return Series(nn.LSTM)


def bidirectional_lstm() -> nn.Module:
    return Series(nn.LSTM, num_layers=2, bidirectional=True)


def gru() -> nn.Module:
    return Series(nn.GRU)


def temporal() -> nn.Module:
    layers, before = [], 32
    for dilation in (1, 2, 4, 8):
        layers += [nn.Conv1d(before, 96, 3, padding=dilation, dilation=dilation), nn.ReLU(), nn.Dropout(0.1)]
        before = 96
    return nn.Sequential(*layers, nn.AdaptiveAvgPool1d(1), nn.Flatten(), nn.Linear(96, 5))


def volume() -> nn.Module:
    return nn.Sequential(
        *(nn.Conv3d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool3d(2)),
        *(nn.Conv3d(16, 32, 3, padding=1), nn.ReLU(), nn.MaxPool3d(2)),
        *(nn.Flatten(), nn.Linear(32 * 512, 4)),
    )


def wide_conv() -> nn.Module:
    return nn.Sequential(
        *(nn.Conv2d(3, 256, 3, padding=1), nn.ReLU(), nn.Conv2d(256, 256, 3, padding=1), nn.ReLU()),
        *(nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(256, 10)),
    )


def autoencoder() -> nn.Module:
    return nn.Sequential(
        *(nn.Conv2d(3, 32, 4, 2, 1), nn.ReLU(), nn.Conv2d(32, 64, 4, 2, 1), nn.ReLU()),
        *(nn.ConvTranspose2d(64, 32, 4, 2, 1), nn.ReLU(), nn.ConvTranspose2d(32, 3, 4, 2, 1), nn.Sigmoid()),
    )


class Text(nn.Module):
    def __init__(self, is_causal: bool) -> None:
        super().__init__()
        self.table = nn.Embedding(8000, 192)
        layer = nn.TransformerEncoderLayer(192, 6, 768, batch_first=True, norm_first=True)
        self.body = nn.TransformerEncoder(layer, 3, enable_nested_tensor=False)
        self.head = nn.Linear(192, 8000 if is_causal else 4)
        self.is_causal = is_causal

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        x = self.table(tokens)
        if not self.is_causal:
            return self.head(self.body(x).mean(1))
        mask = nn.Transformer.generate_square_subsequent_mask(tokens.shape[1], device=tokens.device)
        return self.head(self.body(x, mask=mask, is_causal=True))


def encoder() -> nn.Module:
    return Text(is_causal=False)


def decoder() -> nn.Module:
    return Text(is_causal=True)


def generator() -> nn.Module:
    layers = [nn.Unflatten(1, (100, 1, 1)), nn.ConvTranspose2d(100, 256, 4), nn.BatchNorm2d(256), nn.ReLU()]
    for before, after in ((256, 128), (128, 64)):
        layers += [nn.ConvTranspose2d(before, after, 4, 2, 1), nn.BatchNorm2d(after), nn.ReLU()]
    return nn.Sequential(*layers, nn.ConvTranspose2d(64, 3, 4, 2, 1), nn.Tanh())


class Siamese(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(_conv(3, 32, 2), _conv(32, 64, 2), nn.AdaptiveAvgPool2d(4), nn.Flatten())
        self.head = nn.Linear(1024, 2)

    def forward(self, pair: torch.Tensor) -> torch.Tensor:
        return self.head((self.body(pair[:, 0]) - self.body(pair[:, 1])).abs())


siamese = Siamese


class Points(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv1d(3, 64, 1), nn.BatchNorm1d(64), nn.ReLU(), nn.Conv1d(64, 256, 1), nn.BatchNorm1d(256), nn.ReLU()
        )
        self.head = nn.Linear(256, 40)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.body(x).amax(2))


points = Points


class Graph(nn.Module):
    edges: torch.Tensor

    def __init__(self) -> None:
        super().__init__()
        made = torch.Generator().manual_seed(0)
        self.register_buffer("edges", torch.randint(200, (2, 2000), generator=made, device="cpu"))
        self.layers = nn.ModuleList([nn.Linear(32, 64), nn.Linear(64, 64)])
        self.head = nn.Linear(64, 6)

    def forward(self, nodes: torch.Tensor) -> torch.Tensor:
        source, target = self.edges
        for layer in self.layers:
            sent = layer(nodes).index_select(1, source)
            nodes = F.relu(torch.zeros_like(layer(nodes)).index_add(1, target, sent))
        return self.head(nodes.mean(1))


graph = Graph


class Recommender(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Embedding(200_000, 32)
        self.body = nn.Sequential(nn.Linear(20 * 32, 256), nn.ReLU(), nn.Linear(256, 2))

    def forward(self, numbers: torch.Tensor) -> torch.Tensor:
        return self.body(self.table(numbers).flatten(1))


recommender = Recommender
