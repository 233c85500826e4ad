"""The programs, run in this process on small cases."""

import pytest

from advisor.worker.failure import NotSupportedError
from tests.unit.worker.whole import run

pytestmark = pytest.mark.torch


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"program": "matmul", "precision": "tf32"}, "tf32 is a format of NVIDIA devices"),
        ({"program": "train", "network": "no_such_network"}, "no network 'no_such_network'"),
        ({"program": "no_such_program"}, "no program 'no_such_program'"),
        ({"program": "train", "network": "simple_cnn", "precision": "amp", "options": {"autocast": "fp8"}}, "'fp8'"),
    ],
)
def test_what_cannot_be_done_is_said(fields: dict[str, object], message: str) -> None:
    """A case nobody can run is refused with its reason."""
    with pytest.raises(NotSupportedError, match=message):
        run(size=8, **fields)


def test_a_card_that_is_not_there() -> None:
    """A device torch cannot use is refused before anything is made on it."""
    import torch

    if torch.cuda.is_available():
        pytest.skip("there is a card")
    with pytest.raises(NotSupportedError, match="cuda:7"):
        run(program="matmul", size=8, device="cuda:7")
