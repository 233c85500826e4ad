"""Ready-made jobs are complete; a user's file is read, or refused with a sentence that says how to fix it."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.catalog.language.models import find_model
from advisor.catalog.language.training import language_network
from advisor.catalog.networks.tables import find_entry, network, network_names
from advisor.catalog.workloads import (
    check_workload,
    find_workload,
    language_jobs,
    network_of,
    preset,
    presets,
    read_workload,
    standard_job,
)
from advisor.errors import InputError, UnknownNameError
from advisor.locale import language
from advisor.predict.coefficients import time_coefficients
from advisor.predict.timing.network_factors import network_key
from advisor.records.job.workload import Circumstances
from advisor.session.given.own_network import job_of
from tests.unit.catalog.files_of_jobs import GOOD, OWN, written


@pytest.mark.parametrize("known", presets(), ids=lambda known: known.workload.id)
def test_every_preset_fits_its_network(known: object) -> None:
    """Its parts go together, it is named in both languages, and says where its numbers come from."""
    found = preset(known.workload.id)  # type: ignore[attr-defined]
    assert found is known
    assert check_workload(found.workload) == found.workload
    assert set(found.titles) == {"en", "es"}
    assert found.workload.title == found.titles["en"]
    assert found.source
    assert found.workload.total_steps >= 1


def test_the_articles_jobs_have_the_articles_numbers() -> None:
    """5 epochs of 1000 steps of 32 photos; 20 epochs over 8,005 photos."""
    article = preset("article_cnn").workload
    assert (article.samples, article.total_steps, article.total_samples) == (18_687, 5_000, 160_000)
    assert (article.image_size, article.input_kind, article.augmentation) == (150, "jpeg", True)
    study = preset("densenet121_cats_dogs").workload
    assert (study.samples, study.epochs, study.batch_size) == (8_005, 20, 64)


def test_a_file_of_settings_runs_no_code(tmp_path: Path) -> None:
    """A network in a Python file is asked for on the command line, where one sees that it runs."""
    path = written(tmp_path, '[workload]\nnetwork = "model.py:build"\nsamples = 100\n')
    with pytest.raises(InputError, match=r"on the command line: --workload model\.py:build"):
        read_workload(path)


@pytest.mark.parametrize("code", ["en", "es"])
def test_numbers_in_titles_are_written_as_everywhere_else(code: str) -> None:
    """In Spanish without a point up to four digits, as beside the title."""
    said = language(code)
    for known in presets():
        for number in re.findall(r"\d+(?:[.,]\d{3})+|\d{4,}", known.titles[code]):
            assert number == said.number(int(re.sub(r"\D", "", number)))


def test_ids_are_unique() -> None:
    """And no preset hides a network of another job."""
    ids = [known.workload.id for known in presets()]
    assert len(ids) == len(set(ids))
    for known in presets():
        if known.workload.id in network_names():
            assert known.workload.network == known.workload.id


@pytest.mark.parametrize("name", network_names())
def test_every_network_has_a_job(name: str) -> None:
    """Named alone it gets its preset, or the standard job of its kind; both fit it."""
    found = find_workload(name).workload
    assert found.network == name
    assert check_workload(found) == found


def test_finding_by_id_and_by_other_spellings() -> None:
    """Presets come before networks of the same name."""
    assert find_workload("SimpleCNN").workload.id == "simple_cnn"
    assert find_workload("llm-7b-qlora").workload.method == "qlora"
    assert find_workload("resnet50_imagenet").workload.channels_last
    assert find_workload("gpt-2").workload.id == "gpt2"


@pytest.mark.parametrize("name", ["resnet50", "vgg16", "bert_base", "diffusion_unet"])
def test_a_network_by_its_own_name_starts_from_neutral_settings(name: str) -> None:
    """No preset's layout, batch or optimizer; what cannot be run otherwise keeps its own way."""
    found = find_workload(name).workload
    entry = find_entry(name)
    assert found == standard_job(entry.name, entry.family, entry.sample)
    assert not found.channels_last
    assert not found.compiled
    assert find_workload("llama_7b").workload.method == "qlora"
    assert find_workload("gradient_boosting").workload.method == "classical"


def test_an_unknown_name_is_refused_with_the_nearest() -> None:
    """Presets and networks alike are suggested."""
    with pytest.raises(UnknownNameError, match="bert_finetuning"):
        find_workload("bert_fintuning")
    with pytest.raises(UnknownNameError):
        preset("no such thing")


def test_a_persons_file_is_read(tmp_path: Path) -> None:
    """Hours become seconds, the network gets its own name, the file gives the id."""
    found = read_workload(written(tmp_path, GOOD))
    assert found.workload.id == "mine"
    assert found.workload.network == "resnet50"
    assert found.workload.total_samples == 600_000
    assert found.circumstances == Circumstances(who="freelancer", deadline_s=12 * 3600.0)
    assert find_workload(str(tmp_path / "mine.toml")) == found


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    """Missing, binary, or without a job."""
    with pytest.raises(InputError, match="cannot be read"):
        read_workload(tmp_path / "missing.toml")
    (tmp_path / "binary.toml").write_bytes(b"\x89PNG\xff\x00")
    with pytest.raises(InputError, match="not a text file"):
        read_workload(tmp_path / "binary.toml")
    with pytest.raises(InputError, match=r"no table \[workload\]"):
        read_workload(written(tmp_path, "[circumstances]\nwho = 'student'"))
    with pytest.raises(InputError, match="workload must be a table"):
        read_workload(written(tmp_path, "workload = 3"))


@given(text=st.text(max_size=200))
def test_any_other_text_is_refused(text: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Nothing a file may hold leads to anything but a sentence; no short random text is a job."""
    path = tmp_path_factory.mktemp("any") / "mine.toml"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(InputError, match=r"^mine\.toml"):
        read_workload(path)


def test_gradient_boosting_takes_columns(tmp_path: Path) -> None:
    """A table is no image."""
    text = '[workload]\nnetwork = "xgboost"\nmethod = "classical"\nsamples = 5000\ncolumns = 12\n'
    assert read_workload(written(tmp_path, text)).workload.network == "gradient_boosting"
    assert network("gradient_boosting", columns=12).operations[0].shape == (1, 12)


def test_a_network_of_ones_own_is_described_by_layers(tmp_path: Path) -> None:
    """No network is named; the layers are one."""
    found = read_workload(written(tmp_path, OWN)).workload
    assert found.network == "own"
    assert network_of(found).parameters == (27 + 1) * 32 + (32 + 1) * 4
    assert network_of(found).name == "own:mine"
    assert network_of(preset("article_cnn").workload).parameters == 42_520_584


@pytest.mark.parametrize("name", ["resnet50", "article_cnn", "bert_finetuning"])
def test_a_file_named_like_something_known_takes_over_nothing_of_it(tmp_path: Path, name: str) -> None:
    """Neither the factor fitted for a network of that name nor the title of a ready-made job."""
    path = tmp_path / f"{name}.toml"
    path.write_text(OWN, encoding="utf-8")
    found = read_workload(path).workload
    assert network_key(network_of(found)) not in time_coefficients().networks
    assert found.id not in {known.workload.id for known in presets()}
    path.write_text(GOOD.replace("[workload]", f'[workload]\nid = "{name}"'), encoding="utf-8")
    assert read_workload(path).workload.id not in {known.workload.id for known in presets()}


def test_what_own_layers_are_called_is_no_networks_name() -> None:
    """Whatever the file is called."""
    known = {*network_names(), *time_coefficients().networks, *(one.workload.id for one in presets())}
    assert not [name for name in known if name.startswith("own:")]


def test_too_many_layers_are_counted_before_they_are_made(tmp_path: Path) -> None:
    """A short file can ask for more layers than memory holds."""
    many = OWN + '[[workload.layers]]\nkind = "activation"\nrepeat = 1000\n' * 3
    with pytest.raises(InputError, match="there are 3004 layers; at most 2000"):
        read_workload(written(tmp_path, many))


def test_a_home_that_nobody_has() -> None:
    """The file is not there, as any other that is not."""
    with pytest.raises(InputError, match=r"^mine\.toml cannot be read"):
        find_workload("~nobody-of-this-name/mine.toml")


def test_a_language_model_is_tuned_as_most_do_it_by_whatever_name() -> None:
    """One of the catalogue and one by its numbers alike: adapters, 16 bit, activations computed again."""
    model = find_model("qwen2.5_7b")
    described = job_of(language_network(model, 1024, model.parameters))
    fields = ("method", "batch_size", "precision", "optimizer", "checkpointing")

    usual = [getattr(preset("llm_7b_qlora").workload, field) for field in fields]
    assert [getattr(described, field) for field in fields] == usual
    assert [getattr(find_workload("llama_8b").workload, field) for field in fields] == usual


def test_a_language_model_is_marked_once() -> None:
    """The mark of the index is the network's own, and what is done with it has names; GPT-2 is trained whole."""
    assert network("llama_8b").is_language_model
    assert not network("gpt2").is_language_model
    assert "llama_8b_qlora" in language_jobs()
    assert find_workload("llama_8b").workload.method == "qlora"
    assert find_workload("gpt2").workload.method == "scratch"
