"""The hand-written LSTM cell of the article on choosing a GPU: one layer over a sequence, with a classifier behind it.

The article gives the cell but no sizes; they are those of ``stacked_lstm``, so that the recurrent networks compare.

Source: "Cómo elegir rápidamente una GPU para Deep Learning", class LSTMCell.
"""

import torch
from torch import nn

from advisor.worker.networks.network import TrainingNetwork
from advisor.worker.networks.stacked_lstm import CLASSES, FEATURES, HIDDEN, LstmCell, make_batch


class SingleLstm(nn.Module):
    """One layer of cells, its last hidden state classified."""

    def __init__(self) -> None:
        super().__init__()
        self.cell = LstmCell(FEATURES, HIDDEN)
        self.head = nn.Linear(HIDDEN, CLASSES)

    def forward(self, sequence: torch.Tensor) -> torch.Tensor:
        """Return scores (batch, classes) for sequences (batch, steps, features)."""
        hidden = cell = sequence.new_zeros(len(sequence), HIDDEN)
        for features in sequence.unbind(1):
            hidden, cell = self.cell(features, hidden, cell)
        scores: torch.Tensor = self.head(hidden)
        return scores


NETWORK = TrainingNetwork(name="lstm_cell", build=SingleLstm, make_batch=make_batch)
