"""Arithmetic and memory traffic of what is measured, by formula. A multiply-accumulate counts as two FLOP."""

from dataclasses import dataclass

ELEMENT_BYTES = {"fp64": 8, "fp32": 4, "tf32": 4, "fp16": 2, "bf16": 2, "amp": 4}


def matmul_flop(edge: int) -> float:
    """Return the FLOP of the product of two square matrices: one multiply-accumulate for each (row, column, inner)."""
    return 2.0 * edge**3


def matmul_bytes(edge: int, precision: str) -> float:
    """Return the bytes that must move at least once: both factors read, the product written."""
    return 3.0 * edge**2 * ELEMENT_BYTES[precision]


@dataclass(frozen=True, kw_only=True)
class Layer:
    """A convolution or dense layer.

    Attributes:
        inner: Products summed up for one output element.
        outputs: Output elements of one sample.
        weights: Trainable parameters, with bias.
        is_first: Its input is the data, which needs no gradient.
    """

    inner: int
    outputs: int
    weights: int
    is_first: bool = False

    @property
    def forward_flop(self) -> float:
        """FLOP of one sample on the way forward."""
        return 2.0 * self.inner * self.outputs

    @property
    def train_flop(self) -> float:
        """FLOP of one sample: forward, gradient of the weights, gradient of the input; each costs the same."""
        return self.forward_flop * (2 if self.is_first else 3)


def convolution(c_in: int, c_out: int, kernel: int, edge_out: int, *, is_first: bool = False) -> Layer:
    """Return a convolution layer with square kernel and output."""
    inner = c_in * kernel**2
    return Layer(inner=inner, outputs=c_out * edge_out**2, weights=(inner + 1) * c_out, is_first=is_first)


def dense(inputs: int, outputs: int) -> Layer:
    """Return a fully connected layer."""
    return Layer(inner=inputs, outputs=outputs, weights=(inputs + 1) * outputs)


NETWORKS: dict[str, tuple[Layer, ...]] = {
    "article_cnn": (
        convolution(3, 32, 3, 148, is_first=True),
        convolution(32, 64, 3, 72),
        dense(64 * 36 * 36, 512),
        dense(512, 64),
        dense(64, 8),
    ),
    "simple_cnn": (
        convolution(3, 32, 3, 28, is_first=True),
        convolution(32, 64, 3, 14),
        dense(64 * 7 * 7, 128),
        dense(128, 10),
    ),
}
"""Layers that do products; activation, pooling and dropout are below a hundredth of the arithmetic."""


def parameters(network: str) -> int:
    """Return the trainable parameters of a network."""
    return sum(layer.weights for layer in NETWORKS[network])


def train_flop(network: str, batch_size: int) -> float:
    """Return the FLOP of one training step without the optimizer."""
    return batch_size * sum(layer.train_flop for layer in NETWORKS[network])


def adam_bytes(network: str) -> float:
    """Return the bytes a step with Adam must move for the parameters alone, at 4 bytes each.

    Forward and backward read them, backward writes the gradients; Adam reads parameter, gradient and two moments and
    writes parameter and both moments: ten transfers of each.
    """
    return 10.0 * 4 * parameters(network)
