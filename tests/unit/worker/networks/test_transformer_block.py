"""One encoder block of the size of BERT base: 768 wide, 12 heads, 3,072 within, 128 tokens; 7,087,872 parameters."""

import pytest

pytestmark = pytest.mark.torch


def test_the_block_is_torchs() -> None:
    """With the same weights the block computes what torch's own encoder layer does."""
    import torch
    from torch import nn

    from advisor.worker.networks import network_named

    block = network_named("transformer_block").build().eval()
    layer = nn.TransformerEncoderLayer(768, 12, 3072, 0.0, "gelu", batch_first=True, norm_first=True).train()
    names = {
        "self_attn.in_proj_": "to_heads.",
        "self_attn.out_proj.": "from_heads.",
        "linear1.": "dense.0.",
        "linear2.": "dense.2.",
        "norm1.": "before_attention.",
        "norm2.": "before_dense.",
    }
    state = block.state_dict()
    layer.load_state_dict(
        {f"{theirs}{kind}": state[f"{ours}{kind}"] for theirs, ours in names.items() for kind in ("weight", "bias")}
    )
    tokens = torch.randn(2, 5, 768)

    torch.testing.assert_close(block(tokens), layer(tokens), rtol=1e-4, atol=1e-5)
