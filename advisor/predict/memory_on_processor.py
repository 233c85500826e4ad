"""What a step keeps in memory on a processor where its kernels are others than a card's: recurrent layers, dropout."""

import math

import msgspec

from advisor.records.job.work import Network, Operation


def kept_on_processor(network: Network) -> Network:
    """Return the network with what is kept on a processor where its kernels are others than a card's."""
    kept = _dropping_on_a_processor(network)
    layers = [(o.count * o.shape[0] * o.shape[1], o) for o in network.operations if o.operator == "recurrent"]
    more = 4.0 * sum(places * _recurrent_numbers(layer) for places, layer in layers)
    in_turn = 4.0 * max((places * _recurrent_gradients(layer) for places, layer in layers), default=0.0)
    return msgspec.structs.replace(
        kept,
        saved_bytes_per_sample=kept.saved_bytes_per_sample + more,
        peak_bytes_per_sample=kept.peak_bytes_per_sample + more + in_turn,
    )


def _recurrent_numbers(operation: Operation) -> float:
    """Return how many numbers a recurrent layer keeps of a step on a processor beyond those that a card does.

    oneDNN's LSTM also keeps its states four times, as wide as what goes in or as itself; a GRU, which torch takes
    apart, two numbers more. Between layers the output is kept. Counted by ``saved_tensors_hooks`` and as memory of the
    process with torch 2.13: an LSTM of one layer of 512 takes 218 MB for 64 sequences of 100, one of two layers 349.
    """
    _steps, _samples, width, hidden, layers, directions, gates = operation.shape
    widest = [max(hidden, one) for one in (width, *[hidden * directions] * (layers - 1))]
    more = {4: 4.0 * sum(widest), 3: 2.0 * hidden * layers}.get(gates, 0.0)
    return directions * (more + (layers - 1) * hidden)


def _recurrent_gradients(operation: Operation) -> float:
    """Return the numbers of a step that a layer has while it goes back through it: oneDNN's LSTM, or torch's own GRU.

    The latter by its tensors with torch 2.13: one and two layers, one and two directions within 2 % of real steps.
    """
    _steps, _samples, width, hidden, layers, directions, gates = operation.shape
    widest = max(hidden, width, hidden * directions if layers > 1 else 0)
    return {4: 2.0 * widest + 3.0 * hidden, 3: 1.5 * hidden * directions}.get(gates, 0.0)


def _dropping_on_a_processor(network: Network) -> Network:
    """Return the network with what dropout keeps on a processor, where neither it nor attention with it is one kernel.

    Dropout multiplies with drawn numbers of 4 bytes instead of masks of one. Attention keeps its chances, the drawn
    numbers and their product, as it would without a fused kernel. Source: torch 2.13, ``_dropout_impl`` in
    aten/src/ATen/native/Dropout.cpp and ``check_for_dropout`` in aten/src/ATen/native/transformers/sdp_utils_cpp.cpp;
    counted in steps of 15 kinds of encoders.
    """
    drawn = chances = sums = most = 0.0
    for operation in network.operations:
        if operation.phase != "forward":
            continue
        if operation.operator in ("native_dropout", "_fused_dropout"):
            drawn += operation.count * math.prod(operation.shape)
        elif operation.kind == "attention" and operation.operator.endswith("_dropout"):
            copies, heads, queries, keys, _ = operation.shape
            scores = float(copies * heads * queries * keys)
            chances += operation.count * scores
            sums += operation.count * copies * heads * queries
            most = max(most, scores)
    more = 3.0 * drawn + 12.0 * chances - 4.0 * sums
    saved = network.saved_bytes_per_sample + more
    return msgspec.structs.replace(
        network,
        saved_bytes_per_sample=saved,
        saved_integer_bytes_per_sample=network.saved_integer_bytes_per_sample - drawn,
        peak_bytes_per_sample=max(network.peak_bytes_per_sample + more, saved + 4.0 * most),
    )
