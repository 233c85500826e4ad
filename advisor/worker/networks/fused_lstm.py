"""torch's own LSTM with the sizes of ``stacked_lstm``: the same 858,634 parameters and arithmetic in few kernels.

Beside the hand-written one it shows what launching many small kernels costs.
"""

import torch
from torch import nn

from advisor.worker.networks.network import TrainingNetwork
from advisor.worker.networks.stacked_lstm import CLASSES, FEATURES, HIDDEN, LAYERS, make_batch

_DROPOUT = 0.5


class FusedLstm(nn.Module):
    """``nn.LSTM``, its last output classified."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.LSTM(FEATURES, HIDDEN, num_layers=LAYERS, batch_first=True, dropout=_DROPOUT)
        self.dropout = nn.Dropout(_DROPOUT)
        self.head = nn.Linear(HIDDEN, CLASSES)

    def forward(self, sequence: torch.Tensor) -> torch.Tensor:
        """Return scores (batch, classes) for sequences (batch, steps, features)."""
        outputs, _states = self.layers(sequence)
        scores: torch.Tensor = self.head(self.dropout(outputs[:, -1]))
        return scores


NETWORK = TrainingNetwork(name="fused_lstm", build=FusedLstm, make_batch=make_batch)
