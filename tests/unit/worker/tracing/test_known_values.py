"""Values of masks, positions and drawn numbers are followed through a trace; those of samples are not."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn

from advisor.errors import InputError
from advisor.records.job.work import Network
from advisor.worker.tracing.trace import trace_module
from tests.unit.worker.tracing.traced import product_flop

pytestmark = pytest.mark.torch

Step = Callable[[nn.Module, torch.Tensor], torch.Tensor]


class Asks(nn.Module):
    """One layer, and a question asked before it."""

    def __init__(self, step: Step) -> None:
        super().__init__()
        self.layer = nn.Linear(8, 8)
        self.step = step

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        """Return what the step makes of the values."""
        return self.step(self.layer, values)


def samples(batch: int) -> torch.Tensor:
    """Return a batch of sequences."""
    return torch.empty(batch, 6, 8)


def traced(step: Step) -> Network:
    """Return the trace of a network with that step."""
    return trace_module(Asks(step), samples)


def _masked(layer: nn.Module, values: torch.Tensor) -> torch.Tensor:
    mask = torch.ones(values.shape[:2], dtype=torch.bool)
    return layer(values) if mask.all() else layer(layer(values))


def _first_rows(layer: nn.Module, values: torch.Tensor) -> torch.Tensor:
    return layer(values[:, torch.arange(6) < 2])


def _written(layer: nn.Module, values: torch.Tensor) -> torch.Tensor:
    limits = torch.zeros(3)
    limits[1] = 2.0
    return layer(values[:, : int(limits.max())])


def _listed(layer: nn.Module, values: torch.Tensor) -> torch.Tensor:
    start, end = torch.tensor([1, 3]).tolist()
    return layer(values[:, start:end])


def _dropped(layer: nn.Module, values: torch.Tensor) -> torch.Tensor:
    return layer(values[:, :2]) if torch.rand([]) > 0.1 else values


def _sound(layer: nn.Module, values: torch.Tensor) -> torch.Tensor:
    values = layer(values[:, :2])
    return values if torch.isfinite(values).all() and not values.isnan().any() else layer(values)


PLAIN = 3 * 2 * 8 * 8 - 2 * 8 * 8
"""FLOP of a layer for one place: forward and the weight's gradient; the first layer has none of its input."""


@pytest.mark.parametrize(
    ("step", "places"),
    [(_masked, 6), (_first_rows, 2), (_written, 2), (_listed, 2), (_dropped, 2), (_sound, 2)],
)
def test_what_hangs_on_no_sample_is_answered(step: Step, places: int) -> None:
    """The way that is taken in a real step is taken, and its work counted."""
    assert product_flop(traced(step)) == places * PLAIN


def test_a_question_about_the_samples_ends_the_trace() -> None:
    """No value is made up for them."""
    with pytest.raises(InputError, match="without data"):
        traced(lambda layer, values: layer(values) if values.max() > 0 else values)
    with pytest.raises(InputError, match="without data"):
        traced(lambda layer, values: layer(values[values > 0].view(-1, 8)))


def test_what_a_sample_overwrites_is_no_longer_known() -> None:
    """A table with a sample in it has no value to ask for."""

    def step(layer: nn.Module, values: torch.Tensor) -> torch.Tensor:
        table = torch.zeros(8)
        table.copy_(values[0, 0])
        return layer(values) if table.sum() == 0 else values

    with pytest.raises(InputError, match="without data"):
        traced(step)


def test_masks_and_ids_among_the_arguments_are_known() -> None:
    """As the arguments of a language model are: a dictionary with ids and a mask of whole numbers."""

    class Reads(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.table, self.layer = nn.Embedding(50, 8), nn.Linear(8, 8)

        def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
            values = self.table(ids)
            return self.layer(values) if mask.all() else self.layer(self.layer(values))

    def inputs(batch: int) -> dict[str, Any]:
        return {"ids": torch.empty(batch, 6, dtype=torch.int64), "mask": torch.ones(batch, 6, dtype=torch.int64)}

    assert product_flop(trace_module(Reads(), inputs)) == 6 * 3 * 2 * 8 * 8


class Chooses(nn.Module):
    """A layer for the places that a mask of the samples leaves."""

    def __init__(self) -> None:
        super().__init__()
        self.words, self.layer = nn.Embedding(50, 8), nn.Linear(8, 8)

    def forward(self, ids: torch.Tensor, values: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return one number a place that is left."""
        return self.layer(self.words(ids)[ids != 0]).sum(-1), self.layer(values[values[..., 0] > 0]).sum(-1)


@pytest.mark.parametrize("batch_first", [2, 3])
def test_a_mask_of_drawn_samples_chooses_some_of_each(batch_first: int) -> None:
    """Nothing was counted behind it; the ids are nearly all kept, about half of the normal numbers are above 0."""

    def drawn(batch: int) -> tuple[torch.Tensor, torch.Tensor]:
        return torch.randint(0, 50, (batch, 40)), torch.randn(batch, 40, 8)

    def loss(output: tuple[torch.Tensor, ...], _inputs: object) -> torch.Tensor:
        return torch.cat(output).sum()

    found = trace_module(Chooses(), drawn, loss=loss, batches=(batch_first, 2 * batch_first))
    products = [o for o in found.operations if o.kind == "gemm" and o.phase == "forward"]
    ids, normal = sorted((sum(o.flop_per_sample for o in products if o is one) / 128 for one in products), reverse=True)
    assert 35 <= ids <= 40
    assert 10 <= normal <= 30
    assert all(o.flop_fixed == 0 for o in products)


def test_ids_that_nobody_fills_are_no_padding() -> None:
    """A mask of what is not 0 leaves all of them."""

    def empty(batch: int) -> tuple[torch.Tensor, torch.Tensor]:
        return torch.empty(batch, 40, dtype=torch.int64), torch.randn(batch, 40, 8)

    found = trace_module(Chooses(), empty, loss=lambda output, _inputs: output[0].sum())
    assert max(o.flop_per_sample for o in found.operations if o.kind == "gemm") == 40 * 128


def test_drawn_places_beyond_a_smaller_batch_end_no_trace() -> None:
    """Edges of a graph number all its nodes, of which a smaller batch has fewer: they are counted all the same."""

    class Graph(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layer = nn.Linear(8, 8)

        def forward(self, nodes: torch.Tensor, edges: torch.Tensor) -> torch.Tensor:
            return self.layer(nodes[edges])

    found = trace_module(Graph(), lambda batch: (torch.randn(batch, 8), torch.randint(0, 50, (200,))))
    assert sum(o.flop_fixed for o in found.operations if o.kind == "gemm" and o.phase == "forward") == 200 * 128
