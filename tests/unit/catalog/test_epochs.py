"""How many epochs are usual: by network, method and number of samples, each with a dated source."""

import re
from pathlib import Path

import msgspec
import pytest

from advisor.catalog import check_workload, find_workload, presets, read_workload
from advisor.catalog.epochs import UNPUBLISHED_EPOCHS, usual_epochs
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
        ("llm_7b_full", {}, 1, 3),
        ("llm_70b_scratch", {}, 1, 4),
        ("resnet50", {}, 10, 25),
        ("resnet50_imagenet", {}, 90, 300),
        ("faster_rcnn_coco", {}, 12, 37),
        ("whisper_finetuning", {}, 10, 25),
    ],
)
def test_each_kind_has_its_range(name: str, changes: dict[str, object], low: float, high: float) -> None:
    """A detector needs others than a language model that is adapted."""
    found = usual(name, **changes)
    assert found is not None
    assert (found.low, found.high) == (low, high)
    assert found.source.date


@pytest.mark.parametrize(
    ("network", "method"), [("whisper_tiny", "full"), ("wav2vec2_base", "transfer"), ("patchtst", "scratch")]
)
def test_a_network_that_reads_no_text_goes_by_no_source_about_texts(network: str, method: str) -> None:
    """What Whisper usually takes was cited from BERT's article, and a forecast's from language models."""
    found = usual(network, method=method)
    assert found is not None
    assert not re.search("BERT|Language Model|LoRA", found.source.title)


@pytest.mark.parametrize("network", ["gpt2", "llama_8b", "opt_1.3b"])
def test_a_language_model_that_writes_is_not_cited_from_bert(network: str) -> None:
    """BERT's authors tried 2 to 4 epochs of a network that classifies."""
    found = usual(network, method="full")
    assert found is not None
    assert found.source.author.startswith("Stanford Alpaca")


def test_what_nobody_publishes_has_none() -> None:
    """Nor has a network that is only applied."""
    assert usual("stacked_lstm") is None
    assert usual("resnet50", task="infer") is None


def test_epochs_of_ready_made_jobs_are_said() -> None:
    """A network that is named without a job leaves them open."""
    assert not any(one.workload.epochs_are_default for one in presets())
    assert find_workload("resnet18").workload.epochs_are_default


@pytest.mark.parametrize(
    ("changes", "epochs"),
    [({}, 10.0), ({"samples": 1_200_000}, 90.0), ({"samples": 1_200_000, "method": "transfer"}, 10.0)],
)
def test_the_fewest_usual_are_taken_where_nobody_said_how_many(changes: dict[str, object], epochs: float) -> None:
    """They follow from the data and the method; what is said, and what is only applied, stays."""
    job = msgspec.structs.replace(find_workload("resnet50").workload, **changes)
    assert check_workload(job).epochs == epochs
    said = msgspec.structs.replace(job, epochs=7.0, epochs_are_default=False)
    assert check_workload(said).epochs == 7.0
    applied = msgspec.structs.replace(job, epochs=1.0, task="infer")
    assert check_workload(applied).epochs == 1.0


def test_a_file_without_epochs_is_for_the_fewest_usual(tmp_path: Path) -> None:
    """Where nobody publishes any, for ten; a table's trees count as epochs."""
    for network, extra, epochs in (
        ("bert_base", "", 2.0),
        ("stacked_lstm", "", UNPUBLISHED_EPOCHS),
        ("gradient_boosting", 'method = "classical"', 100.0),
    ):
        path = tmp_path / "mine.toml"
        path.write_text(f'[workload]\nnetwork = "{network}"\nsamples = 5000\n{extra}\n', encoding="utf-8")
        found = read_workload(path).workload
        assert (found.epochs, found.epochs_are_default) == (epochs, True)
