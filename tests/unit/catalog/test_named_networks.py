"""Every language model that can be run can be asked to train, by its name."""

from pathlib import Path

import msgspec
import pytest

from advisor.catalog import find_device, find_workload, network_of, read_workload, tuning_jobs
from advisor.catalog.language.models import language_models
from advisor.catalog.named_networks import find_network, known_network
from advisor.catalog.networks.tables import network
from advisor.errors import UnknownNameError
from advisor.predict import predict
from advisor.records.job.workload import Method


@pytest.mark.parametrize("model", language_models(), ids=lambda model: model.name)
def test_each_model_is_a_network_with_its_published_parameters(model: object) -> None:
    """With the usual job of adapting it, texts of 1,024 tokens."""
    job = find_workload(model.name).workload  # type: ignore[attr-defined]
    found = network_of(job)
    assert found.parameters == model.parameters  # type: ignore[attr-defined]
    if model.name != "gpt2":  # type: ignore[attr-defined]
        assert (job.method, job.sequence_length) == ("qlora", 1024)
        assert find_network(job.network).is_language_model


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("llama3.2_3b", "llama3.2_3b"),
        ("Qwen2.5-7B", "qwen2.5_7b"),
        ("qwen 2.5 7b instruct", "qwen2.5_7b"),
        ("meta-llama/Llama-3.2-3B", "llama3.2_3b"),
        ("meta-llama/Meta-Llama-3-8B", "llama_8b"),
        ("llama 3 8b", "llama_8b"),
        ("llama2_13b", "llama2_13b"),
        ("llama3.2:3b-instruct-q4_K_M", "llama3.2_3b"),
        ("unsloth/Qwen3-8B-bnb-4bit", "qwen3_8b"),
    ],
)
def test_it_is_found_as_people_write_it(written: str, name: str) -> None:
    """As on the Hub, as Ollama calls it, with blanks; one with a table is that table's."""
    assert find_network(written).name == name
    assert find_workload(written).workload.network == name


@pytest.mark.parametrize("method", ["full", "lora", "qlora"])
def test_what_is_done_with_it_may_end_its_name(method: Method) -> None:
    """Each way is its own amount of memory."""
    job = find_workload(f"qwen2.5_7b_{method}").workload
    assert (job.network, job.method, job.title) == ("qwen2.5_7b", method, "Qwen2.5 7B")
    found = predict(network_of(job), job, find_device("H100 SXM5"))
    assert found.memory is not None
    assert found.memory.parameters_bytes > 0


def test_a_file_of_settings_may_name_it(tmp_path: Path) -> None:
    """A misspelled one is told the nearest, models among them."""
    path = tmp_path / "mine.toml"
    path.write_text('[workload]\nnetwork = "Qwen/Qwen3-8B"\nmethod = "lora"\nsamples = 100\n', "utf-8")
    found = read_workload(path).workload
    assert (found.network, found.method, found.sequence_length) == ("qwen3_8b", "lora", 1024)
    with pytest.raises(UnknownNameError, match=r"llama3\.2_3b"):
        find_network("lama3.2_3b")


def test_its_size_is_the_jobs() -> None:
    """Twice as many tokens, and attention taken apart where the job is old."""
    job = find_workload("mistral_7b").workload
    longer = network_of(msgspec.structs.replace(job, sequence_length=2048))
    old = network_of(msgspec.structs.replace(job, framework_year=2020))
    assert (network_of(job).sequence_length, longer.sequence_length) == (1024, 2048)
    assert (longer.attention, old.attention) == ("fused", "decomposed")


def test_a_table_comes_first() -> None:
    """What was traced is not counted."""
    assert known_network("llama3.1_8b") == known_network("llama_8b")
    assert network_of(find_workload("llama3.1_8b").workload) == network("llama_8b", sequence_length=1024)
    assert known_network("nonesuch") is None


def test_each_can_be_chosen_by_what_its_makers_call_it() -> None:
    """Also where it is another's table that tells its work."""
    jobs = {one.workload.id: one.workload for one in tuning_jobs()}
    assert len(jobs) == len(language_models())
    assert (jobs["llama3.1_8b"].title, jobs["llama3.1_8b"].network) == ("Llama 3.1 8B", "llama_8b")
