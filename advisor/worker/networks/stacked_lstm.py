"""The stacked LSTM of the article on choosing a GPU, step by step over a sequence, with a classifier behind it.

The article gives the cell and the stack but no sizes. Here: 2 layers of 256, 64 numbers a step, 100 steps, 10 classes;
858,634 parameters. Its loop launches many small kernels, which is what a hand-written recurrent network does.

Source: "Cómo elegir rápidamente una GPU para Deep Learning", classes LSTMCell and StackedLSTM.
"""

import torch
from torch import nn

from advisor.worker.networks.network import TrainingNetwork

STEPS = 100
FEATURES = 64
HIDDEN = 256
LAYERS = 2
CLASSES = 10
_DROPOUT = 0.5


class LstmCell(nn.Module):
    """One step of one layer."""

    def __init__(self, features: int, hidden: int) -> None:
        super().__init__()
        self.from_input = nn.Linear(features, 4 * hidden)
        self.from_hidden = nn.Linear(hidden, 4 * hidden)

    def forward(
        self, features: torch.Tensor, hidden: torch.Tensor, cell: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the next hidden and cell state, each (batch, hidden)."""
        gates = self.from_input(features) + self.from_hidden(hidden)
        enter, forget, candidate, leave = gates.chunk(4, 1)
        cell = torch.sigmoid(forget) * cell + torch.sigmoid(enter) * torch.tanh(candidate)
        return torch.sigmoid(leave) * torch.tanh(cell), cell


class StackedLstm(nn.Module):
    """Layers of cells on each other, dropout between them, the last hidden state classified."""

    def __init__(self) -> None:
        super().__init__()
        widths = [FEATURES] + [HIDDEN] * (LAYERS - 1)
        self.cells = nn.ModuleList(LstmCell(width, HIDDEN) for width in widths)
        self.dropout = nn.Dropout(_DROPOUT)
        self.head = nn.Linear(HIDDEN, CLASSES)

    def forward(self, sequence: torch.Tensor) -> torch.Tensor:
        """Return scores (batch, classes) for sequences (batch, steps, features)."""
        states = [(sequence.new_zeros(len(sequence), HIDDEN), sequence.new_zeros(len(sequence), HIDDEN))] * LAYERS
        for features in sequence.unbind(1):
            below = features
            for layer, cell in enumerate(self.cells):
                states[layer] = cell(below, *states[layer])
                below = self.dropout(states[layer][0])
        scores: torch.Tensor = self.head(below)
        return scores


def build() -> nn.Module:
    """Return the network."""
    return StackedLstm()


def make_batch(batch_size: int, size: int, device: torch.device) -> tuple[torch.Tensor, torch.Tensor]:
    """Return random sequences (batch, steps, features) with random class numbers."""
    sequences = torch.rand((batch_size, size or STEPS, FEATURES), device=device)
    return sequences, torch.randint(CLASSES, (batch_size,), device=device)


NETWORK = TrainingNetwork(name="stacked_lstm", build=build, make_batch=make_batch)
