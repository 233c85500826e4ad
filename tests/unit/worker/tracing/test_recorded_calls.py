"""What a sample is, told by the operators of a watched step: a picture, a text, or a row of numbers."""

import json
from pathlib import Path
from typing import Any

import pytest

from advisor.watch.injected.recorder import recorder

pytestmark = pytest.mark.torch

BATCH = 8
CLASSES = 6


def seen(folder: Path, network: Any, inputs: Any, parts: int) -> dict[str, Any]:
    """Record the step of a loop that computes the accuracy of the step before, and return what a sample is."""
    import torch

    from advisor.worker.tracing.recorded_calls import network_of_calls

    before = torch.randn(BATCH, CLASSES)
    places = {one.data_ptr() for one in network.parameters()}
    with recorder(torch, places) as found:
        before.topk(5)
        for part in inputs.chunk(parts):
            labels = torch.zeros(len(part), dtype=torch.long)
            torch.nn.functional.cross_entropy(network(part), labels).backward()
    path = folder / "calls.json"
    path.write_text(json.dumps({"torch": torch.__version__, "calls": found.calls}))
    made = network_of_calls(path, batch=BATCH, parts=parts, name="train.py")
    return {"sample": made.sample, "image_size": made.image_size, "sequence_length": made.sequence_length}


@pytest.mark.parametrize("parts", [1, 2, 4])
@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("picture", {"sample": "image", "image_size": 20, "sequence_length": None}),
        ("text", {"sample": "sequence", "image_size": None, "sequence_length": 24}),
        ("row", {"sample": "row", "image_size": None, "sequence_length": None}),
    ],
)
def test_a_sample_is_what_goes_into_the_network(
    tmp_path: Path, kind: str, expected: dict[str, Any], parts: int
) -> None:
    """Not what is still computed from the step before; also where gradients of several parts are accumulated."""
    import torch
    from torch import nn

    networks = {
        "picture": nn.Sequential(nn.Conv2d(3, 5, 3), nn.Flatten(), nn.Linear(5 * 18 * 18, CLASSES)),
        "text": nn.Sequential(nn.Embedding(50, 7), nn.Flatten(), nn.Linear(7 * 24, CLASSES)),
        "row": nn.Sequential(nn.Linear(30, 20), nn.ReLU(), nn.Linear(20, CLASSES)),
    }
    inputs = {
        "picture": torch.randn(BATCH, 3, 20, 20),
        "text": torch.randint(50, (BATCH, 24)),
        "row": torch.randn(BATCH, 30),
    }
    assert seen(tmp_path, networks[kind], inputs[kind], parts) == expected
