"""The job and the circumstances that a command line asks about."""

from pathlib import Path

import pytest

from advisor.cli.arguments import parse_arguments
from advisor.cli.question import asked_question, is_model, saved_network
from advisor.errors import InputError
from advisor.locale import language
from advisor.records.job.workload import Preset


@pytest.mark.parametrize(
    ("argv", "hint"),
    [
        (["--budget", "1e308"], "--budget must be between 0 and 1,000,000,000,000, not 1e+308."),
        (["--exchange-rate", "1e-300", "--currency", "EUR"], "--exchange-rate must be between"),
        (["--deadline", "1e-9"], "--deadline must be between 0.000278 and 2,777,778, not 1e-09."),
        (["--months", "1e9"], "--months must be between 0.1 and 600"),
        (["--runs-per-month", "1e9"], "--runs-per-month must be between"),
        (["--electricity", "1e9"], "--electricity must be between 0 and 10, not"),
        (["--upload-mbit", "1e-9"], "--upload-mbit must be between 0.008 and 8,000,000, not 1e-09."),
        (
            ["--currency", "EUR", "--exchange-rate", "0.5", "--electricity", "9"],
            "--electricity must be between 0 and 5, not 9.0.",
        ),
    ],
)
def test_circumstances_have_the_limits_of_a_file(argv: list[str], hint: str) -> None:
    """What a slip of the pen is there is one here, called by the option, in its unit and currency."""
    with pytest.raises(InputError) as caught:
        question(*argv)
    assert hint in str(caught.value)


def question(*argv: str) -> Preset:
    """Return the question that a command line asks."""
    return asked_question(parse_arguments(argv, language("en")))


def test_settings_of_the_job_replace_the_usual_ones() -> None:
    """With a number of samples, epochs are counted in samples; what is not said stays."""
    usual = question("--workload", "article_cnn").workload
    changed = question("--workload", "article_cnn", "--samples", "6400", "--batch-size", "64", "--epochs", "2").workload
    assert usual.total_steps == 5000
    assert changed.total_steps == 200
    assert (changed.network, changed.image_size) == (usual.network, usual.image_size)
    few = question("--workload", "article_cnn", "--samples", "100").workload
    assert (changed.validation_samples, few.validation_samples) == (usual.validation_samples, 100)
    assert question("--workload", "article_cnn", "--samples", "3").workload.batch_size == 3, "all of them in one step"


@pytest.mark.parametrize(
    ("argv", "hint"),
    [
        (("--workload", "resnet50", "--sequence-length", "9"), "sequence_length does not apply"),
        (("--workload", "resnet50", "--image-size", "5000"), "must be"),
        (("--workload", "resnet50", "--method", "lora"), "no attention"),
        (("--workload", "simple_cnn", "--samples", "10", "--batch-size", "64"), "make it smaller"),
    ],
)
def test_settings_that_do_not_go_with_the_network_are_refused(argv: tuple[str, ...], hint: str) -> None:
    """One sentence."""
    with pytest.raises(InputError, match=hint):
        question(*argv)


def test_what_is_done_with_a_language_model_is_part_of_its_name() -> None:
    """Any size of it."""
    job = question("--workload", "llama-8b-qlora").workload
    assert (job.network, job.method, job.checkpointing) == ("llama_8b", "qlora", True)
    assert question("--workload", "llama_70b_pretrain").workload.method == "scratch"


def test_money_is_turned_into_dollars_at_the_persons_own_rate() -> None:
    """Budget and electricity; the rate itself goes with the question, and a dollar stays a dollar."""
    own = question(
        "--currency", "EUR", "--exchange-rate", "0.5", "--budget", "100", "--electricity", "0.2"
    ).circumstances
    assert (own.units_per_usd, own.budget_usd, own.electricity_usd_per_kwh) == (0.5, 200.0, 0.4)
    usual = question("--currency", "EUR", "--budget", "100").circumstances
    assert usual.units_per_usd is None
    assert question("--exchange-rate", "3", "--budget", "100").circumstances.budget_usd == 100.0


def test_a_rate_of_the_file_stays(tmp_path: Path) -> None:
    """Unless another currency is asked for."""
    path = tmp_path / "mine.toml"
    path.write_text(
        '[workload]\nnetwork = "resnet50"\nsamples = 1000\n[circumstances]\ncurrency = "EUR"\nunits_per_usd = 0.5\n',
        encoding="utf-8",
    )
    assert question("--workload", str(path)).circumstances.units_per_usd == 0.5
    assert question("--workload", str(path), "--exchange-rate", "0.8").circumstances.units_per_usd == 0.8
    assert question("--workload", str(path), "--currency", "GBP").circumstances.units_per_usd is None


def test_money_is_that_of_the_country_unless_said_otherwise() -> None:
    """Who pays for electricity in Spain has euros to spend."""
    assert question("--country", "ES").circumstances.currency == "EUR"
    assert question("--country", "ES", "--currency", "USD").circumstances.currency == "USD"
    assert question().circumstances.currency == "USD"


def test_resale_is_said_in_percent() -> None:
    """With or without its sign."""
    assert question("--resale", "40%").circumstances.resale_ratio == 0.4
    assert question("--resale", "0").circumstances.resale_ratio == 0.0
    assert question().circumstances.resale_ratio is None


def test_a_network_is_applied_to_the_data_once() -> None:
    """Three passes are for learning; whoever wants them says so."""
    assert question("--workload", "bert_finetuning").workload.epochs == 3
    assert question("--workload", "bert_finetuning", "--task", "infer").workload.epochs == 1
    assert question("--workload", "bert_finetuning", "--task", "infer", "--epochs", "2").workload.epochs == 2


@pytest.mark.parametrize(
    ("name", "method"), [("llama_7b", "full"), ("llm_7b_qlora", "qlora"), ("LLM 7B QLoRA", "qlora")]
)
def test_a_network_named_alone_is_applied_whole(name: str, method: str) -> None:
    """Not with the packed weights of the job it is usually named for; a file's job is as its file says."""
    assert question("--workload", name, "--task", "infer").workload.method == method


def test_a_files_job_is_applied_as_the_file_says(tmp_path: Path) -> None:
    """Its name is the user's own."""
    place = tmp_path / "mine.toml"
    place.write_text('[workload]\nnetwork = "llama_7b"\nsamples = 100\nmethod = "qlora"\ntask = "infer"\n')
    assert question("--workload", str(place), "--task", "infer").workload.method == "qlora"


def test_a_language_models_own_file_is_a_job(tmp_path: Path) -> None:
    """Its folder or config.json, with the length of the user's sequences."""
    values = (
        '{"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": 99}'
    )
    (tmp_path / "config.json").write_text(values, "utf-8")
    for reference in (str(tmp_path), str(tmp_path / "config.json")):
        network = saved_network(reference, 128)
        assert network is not None
        assert network.sequence_length == 128
        preset = asked_question(parse_arguments(["--workload", reference, "--method", "lora"], language("en")), network)
        assert preset.workload.method == "lora"
        assert preset.workload.network == network.name


def test_a_known_language_models_name_is_a_job_like_any_networks() -> None:
    """It is no file of a model; how it is trained and for how long is said beside it."""
    assert not is_model("qwen2.5_7b")
    job = question("--workload", "Qwen/Qwen3-8B", "--method", "lora", "--sequence-length", "512").workload
    assert (job.network, job.method, job.sequence_length) == ("qwen3_8b", "lora", 512)
