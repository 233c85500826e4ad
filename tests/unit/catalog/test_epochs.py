"""How many epochs are usual: by network, method and number of samples, each with a dated source."""

import msgspec
import pytest

from advisor.catalog import find_workload, presets
from advisor.catalog.epochs import usual_epochs
from advisor.catalog.networks.tables import find_entry
from advisor.records.job.workload import EpochRange


def usual(name: str, **changes: object) -> EpochRange | None:
    """Return the range of a named job."""
    workload = msgspec.structs.replace(find_workload(name).workload, **changes)
    entry = find_entry(workload.network)
    return usual_epochs(workload, entry.family, entry.sample)


@pytest.mark.parametrize(
    ("name", "changes", "low", "high"),
    [
        ("nnunet_3d", {}, 250, 1000),
        ("bert_finetuning", {}, 2, 4),
        ("llm_7b_qlora", {}, 1, 3),
        ("llm_70b_scratch", {}, 1, 4),
        ("resnet50", {}, 10, 25),
        ("resnet50_imagenet", {}, 90, 300),
        ("faster_rcnn_coco", {}, 12, 37),
    ],
)
def test_each_kind_has_its_range(name: str, changes: dict[str, object], low: float, high: float) -> None:
    """A detector needs others than a language model that is adapted."""
    found = usual(name, **changes)
    assert found is not None
    assert (found.low, found.high) == (low, high)
    assert found.source.date


def test_what_nobody_publishes_has_none() -> None:
    """Nor has a network that is only applied."""
    assert usual("stacked_lstm") is None
    assert usual("resnet50", task="infer") is None


def test_epochs_of_ready_made_jobs_are_said() -> None:
    """A network that is named without a job leaves them open."""
    assert not any(one.workload.epochs_are_default for one in presets())
    assert find_workload("resnet18").workload.epochs_are_default
