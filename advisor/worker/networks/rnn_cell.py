"""The hand-written recurrent cell of the article on choosing a GPU, run over a sequence, with a classifier behind it.

The article gives the cell but no sizes; they are those of ``stacked_lstm``, so that the recurrent networks compare.

Source: "Cómo elegir rápidamente una GPU para Deep Learning", class RNNCell.
"""

import torch
from torch import nn

from advisor.worker.networks.network import TrainingNetwork
from advisor.worker.networks.stacked_lstm import CLASSES, FEATURES, HIDDEN, make_batch


class RnnCell(nn.Module):
    """One step."""

    def __init__(self, features: int, hidden: int) -> None:
        super().__init__()
        self.from_input = nn.Linear(features, hidden)
        self.from_hidden = nn.Linear(hidden, hidden)

    def forward(self, features: torch.Tensor, hidden: torch.Tensor) -> torch.Tensor:
        """Return the next hidden state (batch, hidden)."""
        return torch.tanh(self.from_input(features) + self.from_hidden(hidden))


class Recurrent(nn.Module):
    """One layer of cells, its last hidden state classified."""

    def __init__(self) -> None:
        super().__init__()
        self.cell = RnnCell(FEATURES, HIDDEN)
        self.head = nn.Linear(HIDDEN, CLASSES)

    def forward(self, sequence: torch.Tensor) -> torch.Tensor:
        """Return scores (batch, classes) for sequences (batch, steps, features)."""
        hidden = sequence.new_zeros(len(sequence), HIDDEN)
        for features in sequence.unbind(1):
            hidden = self.cell(features, hidden)
        scores: torch.Tensor = self.head(hidden)
        return scores


NETWORK = TrainingNetwork(name="rnn_cell", build=Recurrent, make_batch=make_batch)
