"""Training jobs of published benchmarks that nobody is offered here, kept to check predictions against their times.

Written after the models of NVIDIA DeepLearningExamples (PyTorch), which Lambda's benchmark runs with the sizes in its
scripts (lambdal/deeplearning-benchmark, pytorch/scripts/config_v1, read 2026-11-21): same layers and sizes, without
what depends on values, such as which boxes overlap.
"""

from itertools import pairwise
from typing import Any

import torch
from torch import nn
from torch.nn import functional

from traced.libraries import torchvision_models as models

MEL_CHANNELS = 80
WAVEGLOW_SAMPLES = 8000
_HOP = 256


class Gnmt(nn.Module):
    """Translation with four LSTM layers on each side and attention between them (GNMT v2); 159,593,523 parameters.

    Sentences of 24 tokens on each side: Lambda's log has 12,000 tokens a second in steps of 0.435 s and 108 pairs.
    """

    VOCABULARY = 31_794
    WIDTH = 1024

    def __init__(self) -> None:
        super().__init__()
        width = self.WIDTH
        self.embedding = nn.Embedding(self.VOCABULARY, width, padding_idx=0)
        self.dropout = nn.Dropout(0.2)
        self.first = nn.LSTM(width, width, bidirectional=True, batch_first=True)
        encoder = [
            nn.LSTM(2 * width, width, batch_first=True),
            *(nn.LSTM(width, width, batch_first=True) for _ in "12"),
        ]
        self.encoder = nn.ModuleList(encoder)
        self.decoder_first = nn.LSTM(width, width, batch_first=True)
        self.decoder = nn.ModuleList(nn.LSTM(2 * width, width, batch_first=True) for _ in range(3))
        self.query = nn.Linear(width, width, bias=False)
        self.key = nn.Linear(width, width, bias=False)
        self.score = nn.Parameter(torch.empty(width))
        self.score_scale, self.score_bias = nn.Parameter(torch.empty(1)), nn.Parameter(torch.empty(width))
        self.classifier = nn.Linear(width, self.VOCABULARY)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        """Return scores (batch, target length, vocabulary) for as many target as source tokens."""
        source = self.first(self.dropout(self.embedding(tokens)))[0]
        for index, layer in enumerate(self.encoder):
            made = layer(self.dropout(source))[0]
            source = made if index == 0 else made + source
        target = self.decoder_first(self.dropout(self.embedding(tokens)))[0]
        context = self._attend(target, source)
        for index, layer in enumerate(self.decoder):
            made = layer(torch.cat([self.dropout(target), context], dim=2))[0]
            target = made if index == 0 else made + target
        scores: torch.Tensor = self.classifier(target)
        return scores

    def _attend(self, query: torch.Tensor, keys: torch.Tensor) -> torch.Tensor:
        summed = self.query(query).unsqueeze(2) + self.key(keys).unsqueeze(1)  # (batch, targets, sources, width)
        direction = self.score / self.score.norm() * self.score_scale
        scores = torch.tanh(summed + self.score_bias).matmul(direction)
        return torch.bmm(functional.softmax(scores, dim=-1), keys)


class Tacotron2(nn.Module):
    """Text to mel spectrogram: convolutional encoder, a decoder that makes one frame a step, a convolutional postnet.

    A batch is as long as its longest text, about 840 frames; what the benchmark counts are the frames without padding,
    about 560 of them (Lambda's log: 5,824 frames a second in steps of 3.44 s and 36 texts). Characters are a fifth.
    """

    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(148, 512)
        self.encoder = nn.Sequential(*(_normed(512, 512, nn.ReLU()) for _ in range(3)))
        self.encoder_lstm = nn.LSTM(512, 256, bidirectional=True, batch_first=True)
        self.memory = nn.Linear(512, 128, bias=False)
        self.prenet = nn.ModuleList([nn.Linear(MEL_CHANNELS, 256, bias=False), nn.Linear(256, 256, bias=False)])
        self.attention_cell = nn.LSTMCell(256 + 512, 1024)
        self.query = nn.Linear(1024, 128, bias=False)
        self.location = nn.Conv1d(2, 32, 31, padding=15, bias=False)
        self.location_out = nn.Linear(32, 128, bias=False)
        self.energy = nn.Linear(128, 1, bias=False)
        self.decoder_cell = nn.LSTMCell(1024 + 512, 1024)
        self.frame = nn.Linear(1024 + 512, MEL_CHANNELS)
        self.gate = nn.Linear(1024 + 512, 1)
        widths = [MEL_CHANNELS, 512, 512, 512, 512]
        layers = [_normed(before, after, nn.Tanh()) for before, after in pairwise(widths)]
        self.postnet = nn.Sequential(*layers, nn.Conv1d(512, MEL_CHANNELS, 5, padding=2), nn.BatchNorm1d(MEL_CHANNELS))

    def forward(self, mels: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """Return frames, refined frames (batch, channels, frames) and gates, for the true frames of the target."""
        batch, frames, _ = mels.shape
        text = torch.empty((batch, max(1, frames // 5)), dtype=torch.int64, device=mels.device)
        memory = self.encoder_lstm(self.encoder(self.embedding(text).transpose(1, 2)).transpose(1, 2))[0]
        keys = self.memory(memory)
        known = mels
        for layer in self.prenet:
            known = functional.dropout(functional.relu(layer(known)), 0.5, training=True)
        made, gates = self._decode(known, memory, keys)
        spectrum = torch.stack(made, dim=2)
        return spectrum, spectrum + self.postnet(spectrum), torch.stack(gates, dim=1)

    def _decode(
        self, known: torch.Tensor, memory: torch.Tensor, keys: torch.Tensor
    ) -> tuple[list[torch.Tensor], list[torch.Tensor]]:
        batch, characters, _ = memory.shape
        attention_state = decoder_state = (memory.new_zeros(batch, 1024), memory.new_zeros(batch, 1024))
        weights = total = memory.new_zeros(batch, characters)
        context = memory.new_zeros(batch, 512)
        made, gates = [], []
        for frame in known.unbind(1):
            attention_state = self.attention_cell(torch.cat([frame, context], 1), attention_state)
            query = functional.dropout(attention_state[0], 0.1)
            seen = self.location(torch.stack([weights, total], 1)).transpose(1, 2)
            energies = torch.tanh(self.query(query).unsqueeze(1) + self.location_out(seen) + keys)
            weights = functional.softmax(self.energy(energies).squeeze(2), dim=1)
            context = torch.bmm(weights.unsqueeze(1), memory).squeeze(1)
            total = total + weights
            decoder_state = self.decoder_cell(torch.cat([query, context], 1), decoder_state)
            both = torch.cat([functional.dropout(decoder_state[0], 0.1), context], 1)
            made.append(self.frame(both))
            gates.append(self.gate(both))
        return made, gates


def _normed(before: int, after: int, activation: nn.Module) -> nn.Sequential:
    layers = (nn.Conv1d(before, after, 5, padding=2), nn.BatchNorm1d(after), activation, nn.Dropout(0.5))
    return nn.Sequential(*layers)


def tacotron2_loss(output: tuple[torch.Tensor, ...], _inputs: Any) -> torch.Tensor:
    """Return the squared errors of both spectra and the cross-entropy of the gates."""
    rough, fine, gates = output
    target = torch.empty_like(rough)
    stops = functional.binary_cross_entropy_with_logits(gates, torch.empty_like(gates))
    return functional.mse_loss(rough, target) + functional.mse_loss(fine, target) + stops


class Waveglow(nn.Module):
    """Mel spectrogram to sound: twelve invertible steps, each with a stack of dilated convolutions."""

    FLOWS = 12
    GROUP = 8
    WIDTH = 512
    LAYERS = 8

    def __init__(self) -> None:
        super().__init__()
        self.upsample = nn.ConvTranspose1d(MEL_CHANNELS, MEL_CHANNELS, 1024, stride=_HOP)
        self.mixers = nn.ModuleList()
        self.couplings = nn.ModuleList()
        channels = self.GROUP
        for flow in range(self.FLOWS):
            if flow % 4 == 0 and flow > 0:
                channels -= 2
            self.mixers.append(nn.Conv1d(channels, channels, 1, bias=False))
            self.couplings.append(_Coupling(channels // 2, MEL_CHANNELS * self.GROUP, self.WIDTH, self.LAYERS))

    def forward(self, mels: torch.Tensor, sound: torch.Tensor) -> list[torch.Tensor]:
        """Return the parts of the latent sound and the logarithms of the scales."""
        condition = self.upsample(mels)[:, :, : sound.shape[1]]
        condition = condition.unfold(2, self.GROUP, self.GROUP).permute(0, 2, 1, 3)
        condition = condition.contiguous().view(sound.shape[0], condition.shape[1], -1).permute(0, 2, 1).contiguous()
        sound = sound.unfold(1, self.GROUP, self.GROUP).permute(0, 2, 1).contiguous()
        results = []
        for flow, (mixer, coupling) in enumerate(zip(self.mixers, self.couplings, strict=True)):
            if flow % 4 == 0 and flow > 0:
                results.append(sound[:, :2])
                sound = sound[:, 2:]
            sound = mixer(sound)
            half = sound.shape[1] // 2
            kept, changed = sound[:, :half], sound[:, half:]
            bias, scale = coupling(kept, condition).chunk(2, dim=1)
            sound = torch.cat([kept, torch.exp(scale) * changed + bias], 1)
            results.append(scale)
        return [*results, sound]


class _Coupling(nn.Module):
    """Gated dilated convolutions, all conditions computed at once."""

    def __init__(self, channels: int, condition: int, width: int, layers: int) -> None:
        super().__init__()
        self.width = width
        self.start = nn.Conv1d(channels, width, 1)
        self.condition = nn.Conv1d(condition, 2 * width * layers, 1)
        self.inside = nn.ModuleList(
            nn.Conv1d(width, 2 * width, 3, dilation=2**layer, padding=2**layer) for layer in range(layers)
        )
        self.skips = nn.ModuleList(
            nn.Conv1d(width, 2 * width if layer < layers - 1 else width, 1) for layer in range(layers)
        )
        self.end = nn.Conv1d(width, 2 * channels, 1)

    def forward(self, sound: torch.Tensor, condition: torch.Tensor) -> torch.Tensor:
        sound = self.start(sound)
        output = torch.zeros_like(sound)
        conditions = self.condition(condition).chunk(len(self.inside), dim=1)
        for inside, skip, part in zip(self.inside, self.skips, conditions, strict=True):
            both = inside(sound) + part
            gated = torch.tanh(both[:, : self.width]) * torch.sigmoid(both[:, self.width :])
            through = skip(gated)
            if through.shape[1] > self.width:
                sound = sound + through[:, : self.width]
                through = through[:, self.width :]
            output = output + through
        ended: torch.Tensor = self.end(output)
        return ended


def waveglow_loss(output: list[torch.Tensor], _inputs: Any) -> torch.Tensor:
    """Return the likelihood: squares of the latent sound, sums of the scales."""
    *others, latent = output
    squares = (latent * latent).sum()
    for part in others:
        squares = squares + part.sum()
    return squares / latent.numel()


class TransformerXl(nn.Module):
    """Language model with memory: each layer attends to the tokens before, positions relative; full softmax, tied."""

    VOCABULARY = 267_735

    def __init__(self, *, layers: int, width: int, heads: int, dropout: float, attention_dropout: float) -> None:
        super().__init__()
        self.heads, self.size, self.layers = heads, 64, layers
        self.embedding = nn.Embedding(self.VOCABULARY, width)
        self.bias = nn.Parameter(torch.empty(self.VOCABULARY))
        self.inside = nn.ModuleList(nn.Linear(width, 3 * heads * self.size, bias=False) for _ in range(layers))
        self.relative = nn.ModuleList(nn.Linear(width, heads * self.size, bias=False) for _ in range(layers))
        self.out = nn.ModuleList(nn.Linear(heads * self.size, width, bias=False) for _ in range(layers))
        self.biases = nn.Parameter(torch.empty(2, heads, self.size))
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(2 * layers))
        self.dropout, self.attention_dropout = nn.Dropout(dropout), nn.Dropout(attention_dropout)
        self.feed = nn.ModuleList(self._feed(width) for _ in range(layers))

    def _feed(self, width: int) -> nn.Sequential:
        grow, shrink = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        return nn.Sequential(grow, nn.ReLU(inplace=True), self.dropout, shrink, self.dropout)

    def forward(self, tokens: torch.Tensor, memory: torch.Tensor) -> torch.Tensor:
        """Return scores (batch x tokens, vocabulary)."""
        hidden = self.dropout(self.embedding(tokens) * self.embedding.embedding_dim**0.5)
        positions = self.dropout(hidden.new_empty(memory.shape[2] + tokens.shape[1], hidden.shape[2]))
        for layer in range(self.layers):
            hidden = self.norms[2 * layer](hidden + self._attend(layer, hidden, memory[layer], positions))
            hidden = self.norms[2 * layer + 1](hidden + self.feed[layer](hidden))
        return functional.linear(self.dropout(hidden).flatten(0, 1), self.embedding.weight, self.bias)

    def _attend(self, layer: int, hidden: torch.Tensor, memory: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        batch, length, _ = hidden.shape
        seen = torch.cat([memory, hidden], 1)
        query, key, value = self.inside[layer](seen).view(batch, seen.shape[1], 3, self.heads, self.size).unbind(2)
        query = query[:, -length:]
        relative = self.relative[layer](positions).view(-1, self.heads, self.size)
        content = torch.einsum("bihd,bjhd->bhij", query + self.biases[0], key)
        distance = torch.einsum("bihd,jhd->bhij", query + self.biases[1], relative)
        shifted = functional.pad(distance, (1, 0)).view(batch, self.heads, -1, length)[:, :, 1:].reshape_as(distance)
        unseen = hidden.new_empty(length, seen.shape[1]).bool()
        scores = (content + shifted).mul(self.size**-0.5).masked_fill(unseen, -1e4)
        weights = self.attention_dropout(functional.softmax(scores, dim=-1))
        mixed = torch.einsum("bhij,bjhd->bihd", weights, value).flatten(2)
        attended: torch.Tensor = self.dropout(self.out[layer](mixed))
        return attended


class MaskRcnn(nn.Module):
    """Mask R-CNN with ResNet-50 and feature pyramid: 512 boxes an image, a quarter of them with masks.

    Sampling of the pyramid is spread evenly over its levels; finding and sorting overlapping boxes is left out.
    """

    CLASSES = 81
    BOXES = 512
    WITH_MASK = 128

    def __init__(self) -> None:
        super().__init__()
        network = models.detection.maskrcnn_resnet50_fpn(weights=None, weights_backbone=None, num_classes=self.CLASSES)
        self.backbone, self.head = network.backbone, network.rpn.head
        heads = network.roi_heads
        self.box_head, self.box_predictor = heads.box_head, heads.box_predictor
        self.mask_head, self.mask_predictor = heads.mask_head, heads.mask_predictor
        for name, parameter in self.backbone.body.named_parameters():
            parameter.requires_grad_(name.startswith(("layer2", "layer3", "layer4")))

    def forward(self, images: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """Return scores and boxes of the proposals, of the boxes, and the masks."""
        *found, maps = self.find(images)
        return *found, self.mask_predictor(self.mask_head(_sampled(maps, self.WITH_MASK, 14)))

    def find(self, images: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, list[torch.Tensor]]:
        """Return scores and boxes of the proposals, of the boxes, and the maps that masks are cut from."""
        maps = list(self.backbone(images).values())
        objectness, deltas = self.head(maps)
        classes, boxes = self.box_predictor(self.box_head(_sampled(maps[:4], self.BOXES, 7)))
        proposals = [part.flatten(1) for part in (*objectness, *deltas)]
        return torch.cat(proposals, 1), classes, boxes, maps[:4]


def _sampled(maps: list[torch.Tensor], boxes: int, edge: int) -> torch.Tensor:
    """Return (batch x boxes, channels, edge, edge): four bilinear samples for each cell, averaged."""
    found = []
    for level in maps:
        grid = level.new_empty(len(level), boxes // len(maps) * edge * 2, edge * 2, 2)
        samples = functional.grid_sample(level, grid, align_corners=False)
        cells = functional.avg_pool2d(samples, 2).view(len(level), level.shape[1], -1, edge, edge)
        found.append(cells.transpose(1, 2).flatten(0, 1))
    return torch.cat(found)


def detection_loss(output: tuple[torch.Tensor, ...], _inputs: Any) -> torch.Tensor:
    """Return the five losses, summed."""
    proposals, classes, boxes, masks = output
    labels = torch.empty(len(classes), dtype=torch.int64)
    chosen = masks[:, 0]
    found = functional.binary_cross_entropy_with_logits(proposals, torch.empty_like(proposals))
    shapes = functional.binary_cross_entropy_with_logits(chosen, torch.empty_like(chosen))
    moved = functional.smooth_l1_loss(boxes, torch.empty_like(boxes))
    return found + functional.cross_entropy(classes, labels) + moved + shapes
