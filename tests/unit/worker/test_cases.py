"""The programs, run in this process on small cases."""

import gc
import subprocess
import sys

import pytest

from advisor.records.base import Precision
from advisor.records.channel import CaseResult
from advisor.records.results.measurement import Case
from advisor.worker.failure import NotSupportedError

pytestmark = pytest.mark.torch


class Silent:
    """Nobody listens."""

    def sampled(self, sample_s: float) -> None:
        """Hear of a sample."""

    def check(self) -> None:
        """Want every case."""


def run(**fields: object) -> CaseResult:
    """Run a case as the worker does."""
    from advisor.worker.cases import program_of
    from advisor.worker.torch_settings import case_settings

    known: dict[str, object] = {"id": "a", "sample_s": 0.001, "budget_s": 0.0, "min_samples": 2, "threads": 1}
    case = Case(**(known | fields))  # type: ignore[arg-type]
    with case_settings(case) as device:
        return program_of(case)(case, device, Silent())


@pytest.mark.parametrize("precision", ["fp32", "fp64", "bf16", "fp16"])
def test_products_in_every_format(precision: Precision) -> None:
    """Torch multiplies in each format, natively or not."""
    result = run(program="matmul", size=32, precision=precision)

    assert len(result.samples_s) == 2
    assert result.parameters is None


def test_the_articles_network_has_its_parameters() -> None:
    """The network that is trained has 42,520,584 parameters, and a step is as many images as the batch."""
    result = run(program="train", network="article_cnn", batch_size=2, min_samples=1)

    assert (result.parameters, result.items_per_iteration) == (42_520_584, 2)


def test_layers_have_the_articles_shapes() -> None:
    """150 x 150 pixels become 36 x 36 of 64 channels and 8 scores."""
    import torch

    from advisor.worker.networks import network_named

    network = network_named("article_cnn")
    with torch.device("meta"):
        model = network.build()
    images, classes = network.make_batch(2, 0, torch.device("meta"))
    shapes = [tuple(images.shape)]
    for layer in model:  # type: ignore[attr-defined]
        images = layer(images)
        if tuple(images.shape) != shapes[-1]:
            shapes.append(tuple(images.shape))

    assert shapes == [
        (2, 3, 150, 150),
        (2, 32, 148, 148),
        (2, 32, 74, 74),
        (2, 64, 72, 72),
        (2, 64, 36, 36),
        (2, 82944),
        (2, 512),
        (2, 64),
        (2, 8),
    ]
    assert tuple(classes.shape) == (2,)


@pytest.mark.parametrize(("precision", "options"), [("fp32", {}), ("amp", {"autocast": "bf16"})])
def test_a_step_learns(precision: Precision, options: dict[str, str]) -> None:
    """What is timed is a real training step: the loss of a batch repeated falls."""
    from advisor.worker.cases.train import training_step
    from advisor.worker.networks import network_named
    from advisor.worker.torch_settings import case_settings

    network = network_named("simple_cnn")
    case = Case(id="a", program="train", batch_size=8, precision=precision, options=options, threads=1)
    with case_settings(case) as device:
        step = training_step(case, network, network.build(), device)
        losses = [float(step().detach()) for _ in range(40)]

    assert losses[-1] < losses[0] / 2


def test_settings_are_put_back() -> None:
    """Threads and fp32 arithmetic are after a case as they were before it, also when it fails."""
    import torch

    from advisor.worker import torch_settings

    def settings() -> list[object]:
        return [torch.get_num_threads(), *(getattr(owner, name) for owner, name in torch_settings._fp32_settings())]

    before = settings()
    run(program="matmul", size=8, threads=1)
    assert settings() == before
    with pytest.raises(NotSupportedError):
        run(program="nothing")
    assert settings() == before


def test_fp32_is_fp32_during_a_case() -> None:
    """An fp32 case allows tf32 nowhere, neither in products nor in convolutions."""
    from advisor.worker import torch_settings

    with torch_settings.case_settings(Case(id="a", program="matmul", precision="fp32")):
        inside = {getattr(owner, name) for owner, name in torch_settings._fp32_settings()}

    assert inside in ({"ieee"}, {False})


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


def test_nothing_is_kept_between_cases() -> None:
    """After a case no tensor of it is left."""
    import torch

    from advisor.worker.memory import release_memory

    run(program="matmul", size=64)
    release_memory("cpu")
    large = [o for o in gc.get_objects() if type(o) is torch.Tensor and o.numel() == 64 * 64]

    assert large == []


def test_peak_memory_is_the_cases_own() -> None:
    """Where the system tells it, the peak of a large product exceeds that of a small one after it.

    In a process of its own: what earlier tests left in the heap would hide the difference.
    """
    code = (
        "from tests.unit.worker.test_cases import run;"
        "print(*(run(program='matmul', size=size, min_samples=1).peak_memory_bytes for size in (2048, 8)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=240, check=True)
    large, small = done.stdout.split()

    if "None" in (large, small):
        pytest.skip("this system does not tell the peak of a case")
    assert int(large) - int(small) > 2048**2 * 4
