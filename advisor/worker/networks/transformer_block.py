"""One encoder block of the size of BERT base: 768 wide, 12 heads, 3,072 within, 128 tokens; 7,087,872 parameters.

Normalization comes first, as in GPT-2 and later models; the arithmetic is the same.

Source: Devlin et al., BERT, 2019, section 3 (sizes); Vaswani et al., Attention Is All You Need, 2017 (block).
"""

import torch
from torch import nn
from torch.nn import functional

from advisor.worker.networks.network import TrainingNetwork

WIDTH = 768
HEADS = 12
WITHIN = 3072
TOKENS = 128


class TransformerBlock(nn.Module):
    """Attention and two dense layers, each beside a shortcut."""

    def __init__(self) -> None:
        super().__init__()
        self.before_attention = nn.LayerNorm(WIDTH)
        self.to_heads = nn.Linear(WIDTH, 3 * WIDTH)
        self.from_heads = nn.Linear(WIDTH, WIDTH)
        self.before_dense = nn.LayerNorm(WIDTH)
        self.dense = nn.Sequential(nn.Linear(WIDTH, WITHIN), nn.GELU(), nn.Linear(WITHIN, WIDTH))

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        """Return (batch, tokens, width) for (batch, tokens, width)."""
        tokens = tokens + self._attend(self.before_attention(tokens))
        changed: torch.Tensor = tokens + self.dense(self.before_dense(tokens))
        return changed

    def _attend(self, tokens: torch.Tensor) -> torch.Tensor:
        heads = self.to_heads(tokens).unflatten(-1, (3, HEADS, WIDTH // HEADS)).permute(2, 0, 3, 1, 4)
        query, key, value = heads.unbind(0)  # each (batch, heads, tokens, 64)
        mixed = functional.scaled_dot_product_attention(query, key, value)
        out: torch.Tensor = self.from_heads(mixed.transpose(1, 2).flatten(2))
        return out


def make_batch(batch_size: int, size: int, device: torch.device) -> tuple[torch.Tensor, torch.Tensor]:
    """Return random tokens (batch, tokens, width) and what the block is to make of them."""
    shape = (batch_size, size or TOKENS, WIDTH)
    return torch.randn(shape, device=device), torch.randn(shape, device=device)


def loss(made: torch.Tensor, wanted: torch.Tensor) -> torch.Tensor:
    """Return the mean squared difference, in fp32 as losses are."""
    return functional.mse_loss(made.float(), wanted)


NETWORK = TrainingNetwork(name="transformer_block", build=TransformerBlock, make_batch=make_batch, loss=loss)
