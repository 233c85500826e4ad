"""Samples shared by the tests of toml_checks, workloads."""

from pathlib import Path

GOOD = """
[workload]
network = "ResNet-50"
samples = 20_000
epochs = 30
batch_size = 64

[circumstances]
who = "freelancer"
deadline_h = 12
"""


def written(folder: Path, text: str) -> Path:
    """Return the path of a file with this text."""
    path = folder / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return path


OWN = """
[workload]
samples = 5000
image_size = 64
[[workload.layers]]
kind = "conv"
size = 32
[[workload.layers]]
kind = "activation"
[[workload.layers]]
kind = "global_pool"
[[workload.layers]]
kind = "dense"
size = 4
"""
