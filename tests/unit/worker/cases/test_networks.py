"""The networks of the articles: parameters, shapes, and that a step is a step."""

import pytest

from tests.unit.worker.cases.runs import Listener, run

pytestmark = pytest.mark.torch


@pytest.mark.parametrize(
    ("name", "all_parameters", "trained"),
    [
        ("simple_cnn", 422_218, 422_218),
        ("rnn_cell", 85_002, 85_002),
        ("lstm_cell", 332_298, 332_298),
        ("stacked_lstm", 858_634, 858_634),
        ("fused_lstm", 858_634, 858_634),
        ("transformer_block", 7_087_872, 7_087_872),
        ("densenet121", 7_978_856, 7_978_856),
        ("densenet121_transfer", 6_955_906, 6_955_906),
        ("densenet121_frozen", 6_955_906, 2_050),
        ("resnet50", 25_557_032, 25_557_032),
    ],
)
def test_parameters(name: str, all_parameters: int, trained: int) -> None:
    """Each network has the parameters its articles or its sizes give, and as many are trained as said."""
    import torch

    from advisor.worker.networks import network_named

    with torch.device("meta"):
        model = network_named(name).build()
    sizes = [(p.numel(), p.requires_grad) for p in model.parameters()]

    assert sum(size for size, _is_trained in sizes) == all_parameters
    assert sum(size for size, is_trained in sizes if is_trained) == trained


@pytest.mark.parametrize("name", ["rnn_cell", "lstm_cell", "stacked_lstm", "fused_lstm", "transformer_block"])
def test_training(name: str) -> None:
    """A step of each small network runs and is counted in sequences."""
    result = run("train", network=name, batch_size=2, size=4)

    assert result.items_per_iteration == 2


def test_hand_written_and_fused_compute_the_same() -> None:
    """With the same weights and no dropout both LSTMs give the same scores."""
    import torch

    from advisor.worker.networks import network_named

    fused, hand = (network_named(name).build().eval() for name in ("fused_lstm", "stacked_lstm"))
    theirs = fused.state_dict()
    ours = {}
    for layer in range(2):
        for kind in ("weight", "bias"):
            ours[f"cells.{layer}.from_input.{kind}"] = theirs[f"layers.{kind}_ih_l{layer}"]
            ours[f"cells.{layer}.from_hidden.{kind}"] = theirs[f"layers.{kind}_hh_l{layer}"]
    ours |= {f"head.{kind}": theirs[f"head.{kind}"] for kind in ("weight", "bias")}
    hand.load_state_dict(ours)
    sequence, _classes = network_named("fused_lstm").make_batch(3, 5, torch.device("cpu"))

    torch.testing.assert_close(hand(sequence), fused(sequence))


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


def test_frozen_layers_stay() -> None:
    """Of the frozen network only the last layer changes in a step."""
    import torch

    from advisor.worker.cases.train import training_step
    from advisor.worker.networks import network_named
    from tests.unit.worker.cases.runs import small_case

    network = network_named("densenet121_frozen")
    model = network.build()
    before = {name: parameter.detach().clone() for name, parameter in model.named_parameters()}
    case = small_case("train", network="densenet121_frozen", batch_size=2, size=32)
    training_step(case, network, model, torch.device("cpu"))()
    changed = {name for name, parameter in model.named_parameters() if not torch.equal(parameter, before[name])}

    assert changed <= {"head.4.weight", "head.4.bias"}
    assert changed


def test_an_epoch_is_projected() -> None:
    """The time of an epoch is that of its batches, of all epochs so many times that."""
    import statistics

    options = {"epoch_items": 100, "epochs": 20}
    result = run("train", network="simple_cnn", batch_size=10, options=options)

    assert result.details["epoch_s"] == pytest.approx(10 * statistics.median(result.samples_s))
    assert result.details["all_epochs_s"] == pytest.approx(20 * result.details["epoch_s"])


def test_channels_last_reaches_the_layers() -> None:
    """Weights and images have their channels innermost where the case asks for it."""
    import torch

    from advisor.worker.cases.train import arrange
    from advisor.worker.networks import network_named
    from tests.unit.worker.cases.runs import small_case

    network = network_named("simple_cnn")
    case = small_case("train", options={"channels_last": True})
    model = arrange(case, network.build())
    images, _classes = network.make_batch(2, 0, torch.device("cpu"))

    assert all(p.is_contiguous(memory_format=torch.channels_last) for p in model.parameters() if p.dim() == 4)
    assert arrange(case, images).is_contiguous(memory_format=torch.channels_last)
    assert run("train", network="simple_cnn", batch_size=2, options={"channels_last": True}).samples_s


def test_application_and_its_percentiles() -> None:
    """Single calls are timed beside the throughput; few calls show no high percentile."""
    listener = Listener()
    result = run("infer", listener, network="simple_cnn", batch_size=4, precision="bf16", budget_s=0.4)

    assert result.items_per_iteration == 4
    assert result.details["calls"] >= 1
    assert result.details["call_p50_s"] > 0
    assert ("call_p99_s" in result.details) == (result.details["calls"] >= 100)


@pytest.mark.parametrize(("calls", "known"), [(1, {50}), (19, {50}), (20, {50, 95}), (100, {50, 95, 99})])
def test_percentiles_need_calls(calls: int, known: set[int]) -> None:
    """A percentile is given where enough calls show it, and it is that of the calls."""
    from advisor.worker.cases.infer import percentiles

    found = percentiles([float(number) for number in range(1, calls + 1)])

    assert {f"call_p{rank}_s" for rank in known} == set(found) - {"calls"}
    assert found["call_p50_s"] == pytest.approx((calls + 1) / 2)
