"""Networks that choose by their values how much they compute: one real step is run where no trace foresees it."""

from pathlib import Path

import pytest

from advisor.errors import TraceError
from advisor.records.job.work import Network
from advisor.worker.job.tried_step import traced_or_tried

pytestmark = pytest.mark.torch

EXPERTS = """
import torch
from torch import nn
class Experts(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(64, 4)
        self.experts = nn.ModuleList(nn.Linear(64, 64) for _ in range(4))
    def forward(self, values):
        chances, chosen = self.gate(values).softmax(-1).topk(2, -1)
        output = torch.zeros_like(values)
        for place, expert in enumerate(self.experts):
            rows, columns = torch.where(chosen == place)
            output[rows] += chances[rows, columns, None] * expert(values[rows])
        return output
def sample(): return torch.randn(16, 64)
"""
GRAPH = """
import torch
from torch import nn
class Graph(nn.Module):
    def __init__(self):
        super().__init__()
        places = torch.randint(0, 500, (2, 2000), device="cpu")
        table = torch.sparse_coo_tensor(places, torch.ones(2000, device="cpu"), (500, 500)).coalesce()
        self.register_buffer("table", table)
        self.layer = nn.Linear(32, 64)
    def forward(self, values): return torch.sparse.mm(self.table, self.layer(values))
def example_inputs(batch): return torch.randn(500, 32)
"""
FAILS = """
import torch
from torch import nn
class Fails(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)
    def forward(self, values):
        if values.max() > -9: raise ValueError("never")
        return self.layer(values)
def sample(): return torch.randn(4, 8)
"""


def tried(folder: Path, text: str) -> Network:
    """Return the network of a file with this text."""
    file = folder / "own.py"
    file.write_text(text)
    return traced_or_tried(str(file), input_kind="numbers")


def flop(network: Network, batch: int) -> float:
    """Return the FLOP of the products of a step."""
    return sum(
        one.count * (one.flop_per_sample * batch + one.flop_fixed) for one in network.operations if one.kind == "gemm"
    )


def test_experts_are_counted_by_the_rows_they_were_given(tmp_path: Path) -> None:
    """Each sample goes to two experts and the gate, whichever they are; the gradient of the input is nobody's."""
    network = tried(tmp_path, EXPERTS)
    assert network.parameters == 4 * 65 * 64 + 65 * 4
    # The rows an expert is given go through an index, which has no gradient of the samples.
    assert flop(network, 100) == pytest.approx(100 * 2 * (2 * 2 * 64 * 64 + 2 * 64 * 4), rel=0.01)
    assert network.name == "own.py:Experts"
    assert "drawn values" in network.traced_with


def test_a_graph_learned_as_a_whole_is_one_step_at_any_batch(tmp_path: Path) -> None:
    """Its sparse table is read by its entries: 500 x 500 x 64 multiplications would be four times all else."""
    network = tried(tmp_path, GRAPH)
    assert flop(network, 1) == flop(network, 50) == 2 * 2 * 500 * 32 * 64
    assert network.peak_bytes_per_sample == 0.0 < network.peak_bytes_fixed


def test_what_cannot_be_run_either_is_said_as_the_trace_said_it(tmp_path: Path) -> None:
    """One sentence, with what is wrong."""
    with pytest.raises(TraceError) as found:
        tried(tmp_path, FAILS)
    assert found.value.code == "cannot_trace"
