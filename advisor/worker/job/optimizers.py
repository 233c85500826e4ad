"""torch's optimizers by the names a job has for them."""

from collections.abc import Sequence
from typing import Any

import torch

from advisor.worker.failure import NotSupportedError

_LEARNING_RATE = 1e-4


def optimizer_named(
    name: str, parameters: Sequence[torch.nn.Parameter], *, fused: bool | None = None
) -> torch.optim.Optimizer:
    """Return torch's optimizer of the name, as its documentation calls it; SGD with the momentum people use.

    Args:
        name: As a job has it.
        parameters: What it updates.
        fused: Whether in one kernel; None: as torch does where nobody says.

    Raises:
        NotSupportedError: torch has none of that name.
    """
    manner: dict[str, Any] = {} if fused is None else {"fused": fused}  # SGD knows the word since torch 2.3
    if name == "sgd":
        return torch.optim.SGD(parameters, lr=_LEARNING_RATE, momentum=0.9, **manner)
    known: dict[str, type[torch.optim.Adam]] = {"adam": torch.optim.Adam, "adamw": torch.optim.AdamW}
    if name not in known:
        raise NotSupportedError(f"This worker trains with no optimizer '{name}'.")
    return known[name](parameters, lr=_LEARNING_RATE, **manner)
