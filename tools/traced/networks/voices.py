"""A network that speaks: VITS (Kim et al. 2021), the generator and the discriminator that judges it, in one step.

Written from the paper and the sizes that its authors published (github.com/jaywalnut310/vits, configs/ljs_base.json):
text to hidden, spectrum to hidden, a flow between both, durations, 32 frames of the hidden made audible, and six judges
that hear the real and the made piece twice: once to learn themselves, once for the generator to learn from them.
Two things are without work here: the search of the best alignment, which the processor does, and masks of padding.
"""

import math
from collections.abc import Sequence

import torch
from torch import nn
from torch.nn import functional
from torch.nn.utils.parametrizations import weight_norm

from traced.entry import Traced

_WIDTH, _INNER, _HEADS, _REACH = 192, 768, 2, 4
_SYMBOLS, _BINS, _HOP, _PIECE = 178, 513, 256, 32
_FRAMES, _TOKENS = 566, 201
"""Of a mean clip of LJ Speech: 6.57 s at 22,050 Hz; 99.9 characters, with a blank between each two."""
_SPLINE_BINS = 10


def _normed(layer: nn.Module) -> nn.Module:
    return weight_norm(layer)


def _conv(width: int, out: int, kernel: int = 1, *, dilation: int = 1, groups: int = 1) -> nn.Conv1d:
    padding = (kernel - 1) * dilation // 2
    return nn.Conv1d(width, out, kernel, padding=padding, dilation=dilation, groups=groups)


class _ChannelNorm(nn.LayerNorm):
    """A norm over the channels of (batch, channels, steps)."""

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        """Return the same shape."""
        return super().forward(values.transpose(1, -1)).transpose(1, -1)


class _Attends(nn.Module):
    """Attention that knows how far apart two tokens are, up to four."""

    def __init__(self) -> None:
        super().__init__()
        self.asking, self.seen, self.value, self.out = (_conv(_WIDTH, _WIDTH) for _ in range(4))
        size = _WIDTH // _HEADS
        self.near_keys, self.near_values = (nn.Parameter(torch.empty(1, 2 * _REACH + 1, size)) for _ in range(2))

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        """Return the same shape."""
        steps = values.shape[-1]
        asking, seen, value = (
            layer(values).unflatten(1, (_HEADS, -1)).transpose(2, 3) for layer in (self.asking, self.seen, self.value)
        )
        asking = asking / math.sqrt(_WIDTH / _HEADS)
        room = (0, 0, steps - _REACH - 1, steps - _REACH - 1)
        far = asking @ functional.pad(self.near_keys, room).transpose(-1, -2)
        skewed = functional.pad(functional.pad(far, (0, 1)).flatten(2), (0, steps - 1))
        scores = asking @ seen.transpose(-1, -2) + skewed.unflatten(2, (steps + 1, -1))[:, :, :steps, steps - 1 :]
        weights = functional.dropout(scores.softmax(-1), 0.1, self.training)
        flat = functional.pad(functional.pad(weights, (0, steps - 1)).flatten(2), (steps, 0))
        apart = flat.unflatten(2, (steps, 2 * steps))[..., 1:]
        mixed = weights @ value + apart @ functional.pad(self.near_values, room)
        result: torch.Tensor = self.out(mixed.transpose(2, 3).flatten(1, 2))
        return result


class _Block(nn.Module):
    """A block of the text's encoder; its dense layers look at three tokens each."""

    def __init__(self) -> None:
        super().__init__()
        self.attention, self.first, self.second = _Attends(), _ChannelNorm(_WIDTH), _ChannelNorm(_WIDTH)
        self.wide, self.narrow = _conv(_WIDTH, _INNER, 3), _conv(_INNER, _WIDTH, 3)

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        """Return the same shape."""
        values = self.first(values + functional.dropout(self.attention(values), 0.1, self.training))
        inner = functional.dropout(self.wide(values).relu(), 0.1, self.training)
        result: torch.Tensor = self.second(values + functional.dropout(self.narrow(inner), 0.1, self.training))
        return result


class _Waves(nn.Module):
    """Gated convolutions in a row, each of which hands on and puts out, as in WaveNet."""

    def __init__(self, layers: int) -> None:
        super().__init__()
        self.inward = nn.ModuleList(_normed(_conv(_WIDTH, 2 * _WIDTH, 5)) for _ in range(layers))
        widths = [2 * _WIDTH] * (layers - 1) + [_WIDTH]
        self.onward = nn.ModuleList(_normed(_conv(_WIDTH, width)) for width in widths)

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        """Return the sum of what all layers put out."""
        total = torch.zeros_like(values)
        for inward, onward in zip(self.inward, self.onward, strict=True):
            gate, level = inward(values).chunk(2, 1)
            made = onward(gate.tanh() * level.sigmoid())
            if made.shape[1] == _WIDTH:
                return total + made
            values, total = values + made[:, :_WIDTH], total + made[:, _WIDTH:]
        return total


class _Coupling(nn.Module):
    """One half of the hidden, moved by what the other half says."""

    def __init__(self) -> None:
        super().__init__()
        half = _WIDTH // 2
        self.inward, self.waves, self.outward = _conv(half, _WIDTH), _Waves(4), _conv(_WIDTH, half)

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        """Return the halves in the other order."""
        still, moved = values.chunk(2, 1)
        moved = moved + self.outward(self.waves(self.inward(still)))
        return torch.cat([still, moved], 1).flip(1)


class _Apart(nn.Module):
    """Three convolutions of each channel alone, wider and wider, and of all channels."""

    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.dropout = dropout
        self.alone = nn.ModuleList(_conv(_WIDTH, _WIDTH, 3, dilation=3**i, groups=_WIDTH) for i in range(3))
        self.all = nn.ModuleList(_conv(_WIDTH, _WIDTH) for _ in range(3))
        self.norms = nn.ModuleList(_ChannelNorm(_WIDTH) for _ in range(6))

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        """Return the same shape."""
        for number, (alone, together) in enumerate(zip(self.alone, self.all, strict=True)):
            made = functional.gelu(self.norms[2 * number](alone(values)))
            made = functional.gelu(self.norms[2 * number + 1](together(made)))
            values = values + functional.dropout(made, self.dropout, self.training)
        return values


class _Spline(nn.Module):
    """A flow of durations: one of two numbers through a curve of ten pieces that the other chooses."""

    def __init__(self) -> None:
        super().__init__()
        self.inward, self.body = _conv(1, _WIDTH), _Apart(0.0)
        self.outward = _conv(_WIDTH, 3 * _SPLINE_BINS - 1)

    def forward(self, pair: torch.Tensor, condition: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the pair in the other order, and the logarithm of how much it was stretched."""
        still, moved = pair.chunk(2, 1)
        told = self.outward(self.body(self.inward(still) + condition)).transpose(1, 2)
        widths, heights, slopes = told.split((_SPLINE_BINS, _SPLINE_BINS, _SPLINE_BINS - 1), -1)
        edges, levels = (_edges(part / math.sqrt(_WIDTH)) for part in (widths, heights))
        slopes = functional.pad(functional.softplus(slopes), (1, 1), value=1.0)
        place = moved.transpose(1, 2)
        piece = (place >= edges[..., :-1]).sum(-1, keepdim=True).clamp(1, _SPLINE_BINS) - 1
        left, right, low, high = (
            part.gather(-1, piece) for part in (edges[..., :-1], edges[..., 1:], levels[..., :-1], levels[..., 1:])
        )
        first, last = slopes[..., :-1].gather(-1, piece), slopes[..., 1:].gather(-1, piece)
        steep = (high - low) / (right - left)
        share = (place - left) / (right - left)
        both = share * (1 - share)
        bottom = steep + (first + last - 2 * steep) * both
        made = low + (high - low) * (steep * share.square() + first * both) / bottom
        slope = steep.square() * (last * share.square() + 2 * steep * both + first * (1 - share).square())
        stretched = slope.log() - 2 * bottom.log()
        inside = (place > -5) & (place < 5)
        made, stretched = torch.where(inside, made, place), torch.where(inside, stretched, torch.zeros_like(stretched))
        return torch.cat([still, made.transpose(1, 2)], 1).flip(1), stretched.sum((1, 2))


def _edges(parts: torch.Tensor) -> torch.Tensor:
    shares = 1e-3 + (1 - 1e-3 * _SPLINE_BINS) * parts.softmax(-1)
    return 10 * functional.pad(shares.cumsum(-1), (1, 0)) - 5


class _Durations(nn.Module):
    """How long each token is spoken: a small flow of its own, and one that draws beside it."""

    def __init__(self) -> None:
        super().__init__()
        self.seen, self.known = (
            nn.Sequential(_conv(width, _WIDTH), _Apart(0.5), _conv(_WIDTH, _WIDTH)) for width in (_WIDTH, 1)
        )
        self.drawn, self.flows = (nn.ModuleList(_Spline() for _ in range(4)) for _ in range(2))
        self.scales = nn.ParameterList(torch.empty(2, 1) for _ in range(4))

    def forward(self, hidden: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """Return the loss of each text."""
        seen, known = self.seen(hidden.detach()), self.known(lengths)
        noise = torch.randn(len(hidden), 2, hidden.shape[-1])
        drawn, beside = self._through(self.drawn, noise, seen + known, self.scales[:2])
        part, rest = drawn.chunk(2, 1)
        beside = beside + (functional.logsigmoid(part) + functional.logsigmoid(-part)).sum((1, 2))
        guess = (-0.5 * (math.log(2 * math.pi) + noise.square())).sum((1, 2)) - beside
        whole = (lengths - part.sigmoid()).clamp_min(1e-5).log()
        made, stretched = self._through(self.flows, torch.cat([whole, rest], 1), seen, self.scales[2:])
        return 0.5 * (math.log(2 * math.pi) + made.square()).sum((1, 2)) - stretched + whole.sum((1, 2)) + guess

    def _through(
        self, flows: nn.ModuleList, pair: torch.Tensor, condition: torch.Tensor, affine: nn.ParameterList
    ) -> tuple[torch.Tensor, torch.Tensor]:
        shift, scale = affine
        pair, stretched = shift + scale.exp() * pair, scale.sum()
        for flow in flows:
            pair, more = flow(pair, condition)
            stretched = stretched + more
        return pair, stretched


class _Speaks(nn.Module):
    """Hidden frames to sound, 256 numbers for each (HiFi-GAN's first size)."""

    def __init__(self) -> None:
        super().__init__()
        self.first = _conv(_WIDTH, 512, 7)
        widths = [512 // 2**i for i in range(5)]
        self.larger = nn.ModuleList(
            _normed(nn.ConvTranspose1d(wide, narrow, 2 * rate, rate, padding=rate // 2))
            for wide, narrow, rate in zip(widths, widths[1:], (8, 8, 2, 2), strict=False)
        )
        self.smooth = nn.ModuleList(
            nn.ModuleList(_Residual(width, kernel) for kernel in (3, 7, 11)) for width in widths[1:]
        )
        self.last = nn.Conv1d(widths[-1], 1, 7, padding=3, bias=False)

    def forward(self, hidden: torch.Tensor) -> torch.Tensor:
        """Return (batch, 1, numbers)."""
        values = self.first(hidden)
        for larger, smooth in zip(self.larger, self.smooth, strict=True):
            assert isinstance(smooth, nn.ModuleList)
            values = larger(functional.leaky_relu(values, 0.1))
            values = torch.stack([one(values) for one in smooth]).sum(0) / len(smooth)
        made: torch.Tensor = self.last(functional.leaky_relu(values)).tanh()
        return made


class _Residual(nn.Module):
    """Three pairs of convolutions, the first of each wider and wider."""

    def __init__(self, width: int, kernel: int) -> None:
        super().__init__()
        self.wide = nn.ModuleList(_normed(_conv(width, width, kernel, dilation=spread)) for spread in (1, 3, 5))
        self.near = nn.ModuleList(_normed(_conv(width, width, kernel)) for _ in range(3))

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        """Return the same shape."""
        for wide, near in zip(self.wide, self.near, strict=True):
            values = values + near(functional.leaky_relu(wide(functional.leaky_relu(values, 0.1)), 0.1))
        return values


class _Judge(nn.Module):
    """Hears sound in rows of so many numbers, or as it is."""

    def __init__(self, period: int) -> None:
        super().__init__()
        self.period = period
        layers: list[nn.Module]
        if period == 1:
            sizes = (
                *((1, 16, 15, 1, 1), (16, 64, 41, 4, 4), (64, 256, 41, 4, 16), (256, 1024, 41, 4, 64)),
                *((1024, 1024, 41, 4, 256), (1024, 1024, 5, 1, 1), (1024, 1, 3, 1, 1)),
            )
            layers = [nn.Conv1d(a, b, kernel, step, kernel // 2, groups=parts) for a, b, kernel, step, parts in sizes]
        else:
            wide = ((1, 32, 5, 3), (32, 128, 5, 3), (128, 512, 5, 3), (512, 1024, 5, 3), (1024, 1024, 5, 1))
            layers = [
                nn.Conv2d(a, b, (kernel, 1), (step, 1), (kernel // 2, 0))
                for a, b, kernel, step in (*wide, (1024, 1, 3, 1))
            ]
        self.layers = nn.ModuleList(map(_normed, layers))

    def forward(self, sound: torch.Tensor) -> list[torch.Tensor]:
        """Return what each layer makes of it, its judgement last."""
        values = sound
        if self.period > 1:
            short = -sound.shape[-1] % self.period
            values = functional.pad(sound, (0, short), "reflect").unflatten(-1, (-1, self.period))
        made = []
        for layer in self.layers[:-1]:
            values = functional.leaky_relu(layer(values), 0.1)
            made.append(values)
        return [*made, self.layers[-1](values)]


class _Judges(nn.Module):
    """All that hear the real and the made piece, to learn themselves."""

    def __init__(self) -> None:
        super().__init__()
        self.judges = nn.ModuleList(map(_Judge, (1, 2, 3, 5, 7, 11)))

    def forward(self, sound: torch.Tensor, made: torch.Tensor) -> list[torch.Tensor]:
        """Return the loss of each."""
        pairs = ((judge(sound)[-1], judge(made)[-1]) for judge in self.judges)
        return [(1 - real).square().mean() + false.square().mean() for real, false in pairs]


class Vits(_Judges):
    """Both networks, in the step of the one that speaks."""

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(_SYMBOLS, _WIDTH)
        self.blocks = nn.ModuleList(_Block() for _ in range(6))
        self.meant = _conv(_WIDTH, 2 * _WIDTH)
        self.heard = nn.Sequential(_conv(_BINS, _WIDTH), _Waves(16), _conv(_WIDTH, 2 * _WIDTH))
        self.flow = nn.Sequential(*[_Coupling() for _ in range(4)])
        self.durations, self.speaks = _Durations(), _Speaks()

    def forward(  # type: ignore[override]
        self, text: torch.Tensor, spectrum: torch.Tensor, sound: torch.Tensor
    ) -> list[torch.Tensor]:
        """Return the losses of what speaks.

        Args:
            text: (batch, tokens).
            spectrum: (batch, 513, frames).
            sound: (batch, 1, 8192), the piece that is made.
        """
        hidden = (self.words(text) * math.sqrt(_WIDTH)).transpose(1, 2)
        for block in self.blocks:
            hidden = block(hidden)
        mean, width = self.meant(hidden).chunk(2, 1)
        heard_mean, heard_width = self.heard(spectrum).chunk(2, 1)
        drawn = heard_mean + torch.randn_like(heard_mean) * heard_width.exp()
        flowed = self.flow(drawn)
        path = _alignment(mean, width, flowed)
        spoken = self.durations(hidden, path.sum(2).unsqueeze(1))
        mean, width = ((path.transpose(1, 2) @ part.transpose(1, 2)).transpose(1, 2) for part in (mean, width))
        distance = width - heard_width - 0.5 + 0.5 * (flowed - mean).square() * (-2 * width).exp()
        made = self.speaks(drawn[..., :_PIECE])
        losses = [spoken.sum(), distance.sum() / distance.numel(), 45 * _spectrum_loss(sound, made)]
        return [*losses, *self._judged(sound, made)]

    def _judged(self, sound: torch.Tensor, made: torch.Tensor) -> list[torch.Tensor]:
        found = []
        for judge in self.judges:
            real, false = judge(sound), judge(made)
            found += [2 * (a.detach() - b).abs().mean() for a, b in zip(real, false, strict=True)]
            found.append((1 - false[-1]).square().mean())
        return found


@torch.no_grad()
def _alignment(mean: torch.Tensor, width: torch.Tensor, flowed: torch.Tensor) -> torch.Tensor:
    """Return which token each frame belongs to (batch, tokens, frames), from how likely each pair is."""
    sharp = (-2 * width).exp()
    constant = (-0.5 * math.log(2 * math.pi) - width).sum(1, keepdim=True)
    likely = constant.transpose(1, 2) - 0.5 * (sharp.transpose(1, 2) @ flowed.square())
    likely = likely + (mean * sharp).transpose(1, 2) @ flowed - 0.5 * (mean.square() * sharp).sum(1).unsqueeze(-1)
    return likely.clamp(0, 1)


def _spectrum_loss(sound: torch.Tensor, made: torch.Tensor) -> torch.Tensor:
    """Return how far apart both are in 80 bands of what one hears."""
    bands = torch.empty(80, _BINS)
    real, false = ((bands @ _spectrum(one)).clamp_min(1e-5).log() for one in (sound, made))
    return functional.l1_loss(false, real)


def _spectrum(sound: torch.Tensor) -> torch.Tensor:
    window, reach = torch.empty(1024), (1024 - _HOP) // 2
    padded = functional.pad(sound, (reach, reach), "reflect").squeeze(1)
    found = torch.view_as_real(torch.stft(padded, 1024, _HOP, window=window, center=False, return_complex=True))
    return (found.square().sum(-1) + 1e-6).sqrt()


def _sum(losses: Sequence[torch.Tensor], _inputs: object) -> torch.Tensor:
    return torch.stack(list(losses)).sum()


NETWORKS = (
    Traced(
        name="vits",
        family="cnn",
        build=lambda _size: Vits(),
        inputs=lambda size, batch: (
            torch.empty(batch, round(size * _TOKENS / _FRAMES), dtype=torch.int64),
            torch.empty(batch, _BINS, size),
            torch.empty(batch, 1, _PIECE * _HOP),
        ),
        loss=_sum,
        before=Traced(
            name="vits_judges",
            family="cnn",
            build=lambda _size: _Judges(),
            inputs=lambda _size, batch: tuple(torch.empty(batch, 1, _PIECE * _HOP) for _ in range(2)),
            loss=_sum,
            parameters=None,
            source="",
        ),
        sizes_asked=True,  # clip_grad_value_ in commons.py of jaywalnut310/vits, at no value to clip at
        parameters=83_068_204,
        source="coqui-ai/TTS counts 83,059,180 for VITS on LJ Speech with 131 symbols; 47 more, of 192 numbers each",
        sample="sequence",
        size=_FRAMES,
        sizes=(_FRAMES,),
        aliases=("vits_ljs",),
    ),
)
