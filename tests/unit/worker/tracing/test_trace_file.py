"""A network in a user's own file is traced, or refused with one sentence."""

import sys
from pathlib import Path
from typing import Any

import pytest
import torch

from advisor.errors import TraceError
from advisor.worker.tracing.trace_file import trace_file

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

def late():
    from helper_of_mine import WIDTH as width
    return Net(width)

def needs(width):
    return Net(width)

def fails():
    raise RuntimeError("no weights here")

def ends():
    raise SystemExit(3)

ready = Net()
frozen = Net().requires_grad_(False)
double = Net().double()
nothing = 3
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A file with a network, beside a file it imports."""
    (tmp_path / "helper_of_mine.py").write_text("WIDTH = 4\n", encoding="utf-8")
    path = tmp_path / "model.py"
    path.write_text(PROGRAM, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["build", "Net", "ready", "late"])
def test_functions_classes_and_modules_are_traced(program: Path, name: str) -> None:
    """With the shape of one sample."""
    network = trace_file(f"{program}:{name}", input_shape=(3, 8, 8))
    assert network.name == f"model.py:{name}"
    assert network.parameters == (27 + 1) * 4 + (144 + 1) * 5
    assert (network.image_size, network.sequence_length, network.family) == (8, None, "cnn")


def test_the_file_can_make_its_own_inputs(program: Path) -> None:
    """Any arguments, by name; what a sample is follows from them."""
    network = trace_file(f"{program}:build")
    assert "mul" in {operation.operator for operation in network.operations}
    assert (network.sample, network.image_size) == ("image", 8)


@pytest.mark.parametrize(
    ("body", "shape", "kind", "expected"),
    [
        ("nn.Linear(7, 3)", (7,), "numbers", ("row", None)),
        ("nn.Sequential(nn.Embedding(50, 8), nn.Linear(8, 50))", (12,), "tokens", ("sequence", 12)),
        ("nn.Linear(6, 2)", (9, 6), "numbers", ("sequence", 9)),
    ],
)
def test_what_a_sample_is_follows_from_the_input(
    tmp_path: Path, body: str, shape: tuple[int, ...], kind: Any, expected: tuple[str, int | None]
) -> None:
    """Vectors are rows; token numbers and series of vectors are sequences."""
    path = tmp_path / "small.py"
    path.write_text(f"from torch import nn\nnet = {body}\n", encoding="utf-8")
    network = trace_file(f"{path}:net", input_shape=shape, input_kind=kind)
    assert (network.sample, network.sequence_length) == expected


def test_a_network_larger_than_the_memory_is_built_without_values(tmp_path: Path) -> None:
    """40 TB of parameters fit no computer of today."""
    path = tmp_path / "huge.py"
    path.write_text(
        "from torch import nn\n\ndef build():\n    return nn.Linear(10_000_000, 1_000_000, bias=False)\n",
        encoding="utf-8",
    )
    assert trace_file(f"{path}:build", input_shape=(10_000_000,)).parameters == 10**13


def test_a_network_that_looks_at_values_while_it_is_made_has_them(tmp_path: Path) -> None:
    """Rates of dropping computed by torch, for instance."""
    path = tmp_path / "looks.py"
    path.write_text(
        "import torch\nfrom torch import nn\n\ndef build():\n"
        "    rates = [rate.item() for rate in torch.linspace(0.1, 0.3, 3)]\n"
        "    return nn.Sequential(nn.Linear(4, 4), *[nn.Dropout(rate) for rate in rates])\n",
        encoding="utf-8",
    )
    assert trace_file(f"{path}:build", input_shape=(4,)).parameters == 20


@pytest.mark.parametrize(
    ("name", "code", "reason"),
    [
        ("missing", "no_name", "has no missing; it has Net, build, late, fails, ends"),
        ("needs", "needs_arguments", "give each a default"),
        ("fails", "build_fails", "fails: RuntimeError: no weights here"),
        ("ends", "build_fails", "fails: SystemExit: 3"),
        ("nothing", "not_a_module", "gives int; it must give a torch.nn.Module"),
        ("frozen", "nothing_to_train", "no parameters that are trained"),
        ("double", "double", "in double precision"),
    ],
)
def test_what_is_no_network_is_said(program: Path, name: str, code: str, reason: str) -> None:
    """One sentence."""
    with pytest.raises(TraceError, match=reason) as caught:
        trace_file(f"{program}:{name}", input_shape=(3, 8, 8))
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("reference", "reason"),
    [("model.txt:build", "such as model.py:build"), ("no_such_file.py:build", "There is no file")],
)
def test_what_is_no_reference_is_said(reference: str, reason: str) -> None:
    """A file of Python, and perhaps a colon and a name."""
    with pytest.raises(TraceError, match=reason):
        trace_file(reference)


@pytest.mark.parametrize(
    ("text", "code", "reason"),
    [
        ("import no_such_library_of_mine", "missing_module", "needs the module no_such_library_of_mine"),
        ("1 / 0", "cannot_run", "broken.py cannot be run: ZeroDivisionError: division by zero"),
        ("def (", "cannot_run", "broken.py cannot be run: SyntaxError"),
        ("import sys; sys.exit('usage')", "exits", "if __name__ == '__main__'"),
        ("x = 1", "no_network", "nothing else that gives a network"),
    ],
)
def test_a_broken_file_is_said(tmp_path: Path, text: str, code: str, reason: str) -> None:
    """What Python says, in its first line, or how to fix it."""
    broken = tmp_path / "broken.py"
    broken.write_text(text + "\n", encoding="utf-8")
    with pytest.raises(TraceError, match=reason) as caught:
        trace_file(f"{broken}:build", input_shape=(3, 8, 8))
    assert caught.value.code == code


def test_a_wrong_or_unknown_input_is_said(tmp_path: Path, program: Path) -> None:
    """The shape of the batch that was tried; what can be added."""
    with pytest.raises(TraceError, match=r"does not run on 2 x 3 x 9 x 9: RuntimeError"):
        trace_file(f"{program}:build", input_shape=(3, 9, 9))
    bare = tmp_path / "bare.py"
    bare.write_text("from torch import nn\nnet = nn.Linear(3, 3)\n", encoding="utf-8")
    with pytest.raises(
        TraceError, match=r"--input-shape 3,224,224, or a function example_inputs\(batch_size\) or sample\(\) in bare"
    ):
        trace_file(f"{bare}:net")
    bare.write_text(
        "from torch import nn\nnet = nn.Linear(3, 3)\n\ndef example_inputs(batch):\n    raise LookupError('none')\n",
        encoding="utf-8",
    )
    with pytest.raises(TraceError, match=r"example_inputs or sample in bare\.py fails: LookupError: none"):
        trace_file(f"{bare}:net")


def test_a_network_without_numbers_at_its_end_is_said(tmp_path: Path) -> None:
    """There is nothing to train on."""
    path = tmp_path / "mute.py"
    path.write_text(
        "from torch import nn\n\nclass Net(nn.Linear):\n    def forward(self, x):\n"
        "        return super().forward(x).argmax(1)\n\ndef build():\n    return Net(4, 4)\n",
        encoding="utf-8",
    )
    with pytest.raises(TraceError, match="no tensor of floating-point numbers to train on"):
        trace_file(f"{path}:build", input_shape=(4,))


def test_the_folder_of_the_file_is_looked_into_only_while_it_runs(program: Path) -> None:
    """What is imported later comes from where it always did."""
    before = list(sys.path)
    trace_file(f"{program}:late", input_shape=(3, 8, 8))
    assert sys.path == before


SAMPLES = {
    "a tensor": "torch.zeros(6, 3, 8, 8)",
    "a tuple": "(torch.zeros(6, 3, 8, 8), torch.ones(6, 1))",
    "a dict": "{'images': torch.rand(6, 3, 8, 8), 'scale': torch.ones(6, 1)}",
    "one number for all": "{'images': torch.rand(6, 3, 8, 8), 'scale': torch.tensor(2.0)}",
}


@pytest.mark.parametrize("batch", SAMPLES.values(), ids=list(SAMPLES))
def test_a_batch_of_the_users_own_is_taken_at_any_size(program: Path, batch: str) -> None:
    """As an example made for each size is."""
    text = PROGRAM.replace("def example_inputs(batch):", "def made(batch):") + f"\ndef sample():\n    return {batch}\n"
    program.write_text(text, encoding="utf-8")
    found = trace_file(f"{program}:build")
    shaped = trace_file(f"{program}:build", input_shape=(3, 8, 8))
    products = [[one for one in network.operations if one.kind in ("conv", "gemm")] for network in (found, shaped)]
    assert products[0] == products[1]
    assert found.image_size == 8


def test_whole_numbers_of_a_batch_stay_whole(tmp_path: Path) -> None:
    """Tokens for an embedding, with a mask of what is padded."""
    path = tmp_path / "words.py"
    path.write_text(
        "import torch\nfrom torch import nn\n\nclass Net(nn.Module):\n    def __init__(self):\n"
        "        super().__init__()\n        self.words = nn.Embedding(50, 32)\n"
        "        self.body = nn.TransformerEncoder(nn.TransformerEncoderLayer(32, 4, 64, batch_first=True), 2)\n"
        "        self.end = nn.Linear(32, 50)\n\n    def forward(self, ids, padded):\n"
        "        return self.end(self.body(self.words(ids), src_key_padding_mask=padded))\n\n"
        "def sample():\n    padded = torch.zeros(3, 12, dtype=torch.bool)\n"
        "    return {'ids': torch.randint(50, (3, 12)), 'padded': padded}\n",
        encoding="utf-8",
    )
    found = trace_file(f"{path}:Net")
    assert (found.sample, found.sequence_length, found.attention) == ("sequence", 12, "fused")


LAZY = "def build():\n    return nn.Sequential(nn.LazyConv2d(4, 3), nn.Flatten(), nn.LazyLinear(2))\n"
SIZED = "def sample(batch):\n    return torch.randn(batch, 3, 6, 6)\n"


@pytest.mark.parametrize(
    ("text", "parameters"),
    [
        (LAZY + SIZED, 112 + 130),
        ("class Mine(nn.Linear):\n    def __init__(self):\n        super().__init__(6, 2)\n" + SIZED, 14),
        ("def helper():\n    return 1\n\nmodel = nn.Linear(6, 3)\n" + SIZED, 21),
        (
            "class Bag(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
            "        self.table, self.head = nn.EmbeddingBag(50, 6, sparse=True), nn.Linear(6, 4)\n"
            "    def forward(self, x):\n        return self.head(self.table(x))\n"
            "def sample(batch):\n    return torch.randint(0, 50, (batch, 20))\n",
            328,
        ),
    ],
)
def test_a_file_as_strangers_write_it(tmp_path: Path, text: str, parameters: int) -> None:
    """Without a name where one is obvious, with a batch for ``sample``, with layers that learn their sizes."""
    path = tmp_path / "strange.py"
    path.write_text(f"import torch\nfrom torch import nn\n\n{text}", encoding="utf-8")
    assert trace_file(str(path)).parameters == parameters


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "no_networks"),
        ("def build(width):\n    return nn.Linear(width, 2)\n", "needs_arguments"),
        (
            "class Part(nn.Module):\n    def __init__(self, width):\n        super().__init__()\n\n"
            "class Whole(Part):\n    pass\n",
            "needs_arguments",
        ),
        ("first, second = nn.Linear(2, 2), nn.Linear(2, 3)\n", "which"),
        (
            "class Mine(nn.Linear):\n    def __init__(self):\n        super().__init__(6, 2)\n"
            "    def forward(self, x):\n        h = super().forward(x)\n"
            "        return h[torch.nonzero(h[:, 0, 0, 0]).flatten()]\n" + SIZED,
            "chooses",
        ),
        ("model = nn.Linear(2, 2).to('cuda')\n", "wants_cuda"),
    ],
)
def test_what_a_stranger_must_change_is_said(tmp_path: Path, text: str, code: str) -> None:
    """By a code with a sentence of its own."""
    if code == "wants_cuda" and torch.cuda.is_available():
        pytest.skip("a card is here")
    path = tmp_path / "strange.py"
    path.write_text(f"import torch\nfrom torch import nn\n\n{text}", encoding="utf-8")
    with pytest.raises(TraceError) as caught:
        trace_file(str(path))
    assert caught.value.code == code
