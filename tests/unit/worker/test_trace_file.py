"""A network in a person's own file is traced, or refused with one sentence."""

from pathlib import Path

import pytest

from advisor.errors import InputError
from advisor.worker.trace_file import trace_file

pytestmark = pytest.mark.torch

PROGRAM = """
import torch
from torch import nn
from helper_of_mine import WIDTH

class Net(nn.Module):
    def __init__(self, width=WIDTH):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, width, 3), nn.ReLU(), nn.Flatten(), nn.Linear(width * 36, 5))

    def forward(self, images, scale=None):
        scores = self.body(images)
        return scores if scale is None else scores * scale

def build():
    return Net()

def example_inputs(batch):
    return {"images": torch.empty(batch, 3, 8, 8), "scale": torch.empty(batch, 1)}

def needs(width):
    return Net(width)

def fails():
    raise RuntimeError("no weights here")

ready = Net()
nothing = 3
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A file with a network, beside a file it imports."""
    (tmp_path / "helper_of_mine.py").write_text("WIDTH = 4\n", encoding="utf-8")
    path = tmp_path / "model.py"
    path.write_text(PROGRAM, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["build", "Net", "ready"])
def test_functions_classes_and_modules_are_traced(program: Path, name: str) -> None:
    """With the shape of one sample."""
    network = trace_file(f"{program}:{name}", input_shape=(3, 8, 8))
    assert network.name == "model"
    assert network.parameters == (27 + 1) * 4 + (144 + 1) * 5
    assert (network.image_size, network.sequence_length, network.family) == (8, None, "cnn")


def test_the_file_can_make_its_own_inputs(program: Path) -> None:
    """Any arguments, by name."""
    network = trace_file(f"{program}:build")
    assert "mul" in {operation.operator for operation in network.operations}


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("missing", "has no missing"),
        ("needs", "callable without arguments"),
        ("fails", "fails: RuntimeError: no weights here"),
        ("nothing", "must give a torch.nn.Module, not int"),
    ],
)
def test_what_is_no_network_is_said(program: Path, name: str, reason: str) -> None:
    """One sentence."""
    with pytest.raises(InputError, match=reason):
        trace_file(f"{program}:{name}", input_shape=(3, 8, 8))


@pytest.mark.parametrize(
    ("reference", "reason"), [("model.py", "such as model.py:build"), ("no_such_file.py:build", "There is no file")]
)
def test_what_is_no_reference_is_said(reference: str, reason: str) -> None:
    """A file, a colon, a name."""
    with pytest.raises(InputError, match=reason):
        trace_file(reference)


def test_a_broken_file_and_a_wrong_shape_are_said(tmp_path: Path, program: Path) -> None:
    """What torch or Python says, in its first line."""
    broken = tmp_path / "broken.py"
    broken.write_text("import no_such_library_of_mine\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"broken\.py cannot be run: ModuleNotFoundError"):
        trace_file(f"{broken}:build")
    with pytest.raises(InputError, match="cannot be traced"):
        trace_file(f"{program}:build", input_shape=(3, 9, 9))
    (tmp_path / "bare.py").write_text("from torch import nn\nnet = nn.Linear(3, 3)\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"example_inputs\(batch_size\) in bare\.py"):
        trace_file(f"{tmp_path / 'bare.py'}:net")
