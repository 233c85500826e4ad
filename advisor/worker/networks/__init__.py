"""Networks by the names the plan and the catalogue use; one module a network, imported when asked for."""

from importlib import import_module

from advisor.worker.failure import NotSupportedError
from advisor.worker.networks.network import TrainingNetwork

_MODULES = {
    "article_cnn": "advisor.worker.networks.article_cnn",
    "densenet121": "advisor.worker.networks.densenet121",
    "densenet121_frozen": "advisor.worker.networks.densenet121_frozen",
    "densenet121_transfer": "advisor.worker.networks.densenet121_transfer",
    "fused_lstm": "advisor.worker.networks.fused_lstm",
    "lstm_cell": "advisor.worker.networks.lstm_cell",
    "resnet50": "advisor.worker.networks.resnet50",
    "rnn_cell": "advisor.worker.networks.rnn_cell",
    "simple_cnn": "advisor.worker.networks.simple_cnn",
    "stacked_lstm": "advisor.worker.networks.stacked_lstm",
    "transformer_block": "advisor.worker.networks.transformer_block",
}
"""Each module defines ``NETWORK``."""


def network_names() -> tuple[str, ...]:
    """Return the names of all networks this worker can train."""
    return tuple(_MODULES)


def network_named(name: str) -> TrainingNetwork:
    """Return a network.

    Raises:
        NotSupportedError: This worker has no such network.
    """
    if name not in _MODULES:
        raise NotSupportedError(f"This worker has no network '{name}'.")
    network: TrainingNetwork = import_module(_MODULES[name]).NETWORK
    return network
