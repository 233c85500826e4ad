"""The books of a network: what is kept counts once, what lives together counts together."""

from advisor.catalog.networks.layer_tally import LayerTally, Tensor, backward, forward

SUM = forward("elementwise", "add", (10,), flop=10, moved=80)


def test_a_tensor_kept_twice_counts_once() -> None:
    """Also where it is seen in another shape; two that are alike count twice."""
    tally = LayerTally(Tensor((2, 5)))
    tally.reshape((10,))
    tally.reshape((5, 2))
    tally.add(Tensor((10,)), [SUM], keeps=(tally.tensor, tally.tensor))
    tally.add(Tensor((10,)), [SUM], keeps=(tally.tensor,), kept_bytes=3.0)
    assert tally.network("n", "cnn").saved_bytes_per_sample == 40 + 40 + 3


def test_masks_and_token_numbers_are_told_apart() -> None:
    """They keep their size in mixed precision."""
    tokens = Tensor((6,), element_bytes=8)
    tally = LayerTally(tokens)
    tally.add(Tensor((6, 2)), [SUM], keeps=(tokens,), kept_masks=5.0)
    found = tally.network("n", "transformer")
    assert (found.saved_bytes_per_sample, found.saved_integer_bytes_per_sample) == (48 + 5, 48 + 5)
    assert found.sample == "sequence"


def test_equal_operations_are_one_with_a_count() -> None:
    """Forward in order, backward from the last layer to the first."""
    first, last = backward(SUM), backward(forward("loss", "nll_loss", (10,)))
    tally = LayerTally(Tensor((3, 8, 8)))
    tally.add(Tensor((10,)), [SUM], [first])
    tally.add(Tensor((10,)), [SUM], [last])
    found = tally.network("n", "cnn")
    assert [(one.phase, one.operator, one.count) for one in found.operations] == [
        ("forward", "add", 2),
        ("backward", "nll_loss", 1),
        ("backward", "add", 1),
    ]
    assert found.sample == "image"


def test_the_peak_is_what_is_still_kept_and_both_gradients() -> None:
    """Without gradients the input, a layer's two sides and what waits beside it live together."""
    tally = LayerTally(Tensor((100,)))
    tally.add(Tensor((50,)), [SUM], keeps=(tally.tensor,))
    tally.shortcut = tally.tensor
    tally.add(Tensor((20,)), [SUM], keeps=(tally.tensor,))
    found = tally.network("n", "cnn")
    assert found.peak_bytes_per_sample == max(400 + 400 + 200, 400 + 200 + 200 + 80)
    assert found.inference_bytes_per_sample == max(400 + 400 + 200, 400 + 200 + 80 + 200)
    assert found.largest_bytes_per_sample == 400


def test_gradients_come_while_what_was_kept_goes() -> None:
    """A few samples are fullest at the end of a step, where all gradients are, many earlier; frozen ones have none."""
    tally = LayerTally(Tensor((100,)))
    tally.own_frozen(1000)
    tally.own(100, 100)
    tally.add(Tensor((100,)), [SUM], keeps=(tally.tensor,))
    tally.own(300)
    tally.add(Tensor((50,)), [SUM], keeps=(tally.tensor,))
    found = tally.network("n", "cnn")
    assert found.moments == ((400 + 400 + 400, 4.0 * 500), (800 + 400 + 200, 4.0 * 300))
    assert found.largest_parameter == 300


def test_every_size_is_a_parameter_tensor_of_its_own() -> None:
    """A network without one has none to learn."""
    tally = LayerTally(Tensor((1,)))
    assert not tally.has_parameters
    tally.own(30, 10)
    tally.own(5)
    assert (tally.parameters, tally.parameter_tensors, tally.has_parameters) == (45, 3, True)
