"""Networks that people bring from other libraries are traced, where those are installed."""

from typing import Any

import pytest
import torch

from advisor.worker.tracing.trace import trace_module
from tests.unit.worker.tracing.traced import images, product_flop

pytestmark = [pytest.mark.torch, pytest.mark.slow]


@pytest.mark.parametrize(("name", "parameters", "gflop"), [("yolo11n", 2_624_080, 6.5), ("yolov8n", 3_157_200, 8.7)])
def test_yolo_takes_the_operations_that_are_published(name: str, parameters: int, gflop: float) -> None:
    """Parameters and FLOP of a forward pass at 640 x 640, as in docs.ultralytics.com/models (read 2026-11-23)."""
    tasks = pytest.importorskip("ultralytics.nn.tasks", reason="Ultralytics is not installed.", exc_type=ImportError)
    network = trace_module(tasks.DetectionModel(f"{name}.yaml", verbose=False), images(640))
    assert network.parameters == pytest.approx(parameters, rel=1e-3)
    assert product_flop(network, phase="forward") / 1e9 == pytest.approx(gflop, rel=0.02)


@pytest.mark.parametrize("kind", ["Bert", "Roberta", "DistilBert", "Electra"])
def test_encoders_take_a_mask_and_labels(kind: str) -> None:
    """Their own code asks whether all of the mask is set; a training step has no more products than without one."""
    library = pytest.importorskip("transformers", reason="transformers is not installed.")
    sizes = {"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 128}
    sizes |= {"dim": 64, "n_layers": 2, "n_heads": 4, "hidden_dim": 128, "embedding_size": 64} if kind != "Bert" else {}
    config = getattr(library, f"{kind}Config")(vocab_size=500, **sizes)
    network = getattr(library, f"{kind}ForSequenceClassification")(config)

    def inputs(batch: int) -> dict[str, Any]:
        ids = torch.zeros(batch, 32, dtype=torch.int64)
        return {"input_ids": ids, "attention_mask": torch.ones_like(ids), "labels": ids[:, 0]}

    masked = trace_module(network, inputs)
    plain = trace_module(network, lambda batch: {"input_ids": torch.zeros(batch, 32, dtype=torch.int64)})
    assert product_flop(masked) == pytest.approx(product_flop(plain), rel=0.02)
