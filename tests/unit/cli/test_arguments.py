"""The command line's grammar."""

from pathlib import Path

import pytest

from advisor.cli.arguments import build_parser, parse_arguments, requested_language
from advisor.cli.commands import asked_question, own_circumstances
from advisor.errors import InputError
from advisor.locale import LANGUAGES, language
from advisor.records.job.workload import Circumstances, Preset
from advisor.session.own_network import is_program


def test_report_without_a_file_goes_to_the_screen() -> None:
    """A dash stands for stdout."""
    assert parse_arguments(["--report"], language("en")).report == "-"


@pytest.mark.parametrize(
    ("argv", "hint"),
    [
        (["--suite", "huge"], "--suite"),
        (["--budget", "-5"], "above 0"),
        (["--deadline", "nan"], "above 0"),
        (["--deadline", "soon"], "'soon'"),
        (["--batch-size", "2.5"], "whole number"),
        (["--devices", "0"], "whole number"),
        (["--predict", "resnet50"], "--on"),
        (["--on", "T4"], "--predict"),
        (["--report", "--doctor"], "--doctor"),
        (["--devices", "4"], "--predict"),
        (["--resale", "120"], "from 0 to 100"),
        (["--resale", "half"], "from 0 to 100"),
        (["--workload", "resnet50", "--input-shape", "3,8,8"], "model.py:build"),
        (["--workload", "m.py:f", "--input-shape", "3,0,8"], "'0'"),
        (["--workload", "m.py:f", "--input-shape", "3,,8"], "whole number"),
        (["--no-such-option"], "--no-such-option"),
        (["--sui", "quick"], "--sui"),
        (["--framework-year", "24"], "--framework-year must be between 2012 and 2100, not 24."),
        (["--image-size", "2147483648"], "--image-size must be between 8 and 16,384"),
        (["--epochs", "1e300"], "--epochs must be between"),
        (["--samples", "9" * 5000], "whole number"),
        (["--loaders", "9" * 5000], "whole number"),
        (["--predict", "resnet50", "--on", "T4", "--devices", "65537"], "--devices must be between 1 and 65,536"),
        (["--workload", "m.py:f", "--input-shape", f"3,{2**40}"], "more than"),
        (["--max-minutes", "1e9"], "more than 10,080"),
        (["--torch-build", "../cu126"], "cpu, cu126 or xpu"),
    ],
)
def test_wrong_arguments_get_one_sentence_that_names_them(argv: list[str], hint: str) -> None:
    """The message names the argument and fits on one line."""
    with pytest.raises(InputError) as caught:
        parse_arguments(argv, language("en"))

    assert hint in str(caught.value)
    assert "\n" not in str(caught.value)


NONSENSE = ("nan", "inf", "-inf", "-1", "0", "1e400", "1e308", "5e-324", "", " ", "x", "\x00", "9" * 5000, "½", "--")


OPTIONS = [action.option_strings[-1] for action in build_parser(language("en"))._actions]
COMPANIONS = {
    "--on": ["--predict", "resnet50"],
    "--devices": ["--predict", "resnet50", "--on", "T4"],
    "--predict": ["--on", "T4"],
    "--input-shape": ["--workload", "m.py:f"],
    "--trace": ["--suite", "full"],
}


def refusal(*argv: str) -> str:
    """Return the sentence that refuses a command line; empty where it is taken."""
    try:
        own_circumstances(Circumstances(), parse_arguments(argv, language("en")))
    except InputError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("value", NONSENSE, ids=lambda value: value[:6] or "empty")
def test_nonsense_is_refused_in_a_sentence(option: str, value: str) -> None:
    """No option ends in anything else, and none is taken for not given because nothing stands behind it."""
    sentence = refusal(*COMPANIONS.get(option, ()), f"{option}={value}", *(["b.json"] if option == "--compare" else []))
    assert "\n" not in sentence
    assert sentence or value.strip()


@pytest.mark.parametrize("option", [action.option_strings[-1] for action in build_parser(language("en"))._actions
                                    if action.type not in (None, str.upper)])  # fmt: skip
@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "-1", "1e400", "1e308", "9" * 5000, "½"])
def test_no_number_is_anything_but_one(option: str, value: str) -> None:
    """Whatever is to be counted or measured."""
    assert refusal(*COMPANIONS.get(option, ()), f"{option}={value}")


@pytest.mark.parametrize(
    ("argv", "hint"),
    [
        (["--budget", "1e308"], "--budget: budget_usd must be between 0 and 1,000,000,000,000, not 1e+308."),
        (["--exchange-rate", "1e-300", "--currency", "EUR"], "--exchange-rate: units_per_usd must be between"),
        (["--deadline", "1e-9"], "--deadline: deadline_s must be between 1 and"),
        (["--months", "1e9"], "--months: horizon_months must be between 0.1 and 600"),
        (["--runs-per-month", "1e9"], "--runs-per-month: runs_per_month must be between"),
        (["--electricity", "1e9"], "--electricity: electricity_usd_per_kwh must be between 0 and 10, not"),
    ],
)
def test_circumstances_have_the_limits_of_a_file(argv: list[str], hint: str) -> None:
    """What a slip of the pen is there is one here."""
    with pytest.raises(InputError) as caught:
        question(*argv)
    assert hint in str(caught.value)


@pytest.mark.parametrize("argv", [["--lang", "es"], ["--report", "--lang=es"]])
def test_the_language_is_known_before_the_rest_is_read(argv: list[str]) -> None:
    """Help and errors already speak it."""
    assert requested_language(argv).code == "es"


def test_a_chosen_language_is_written_as_where_the_person_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spanish in Mexico has the decimal point of Mexico, also where it is asked for by name."""
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LC_MONETARY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "es_MX.UTF-8")
    spoken = requested_language(["--lang", "es"])
    assert (spoken.region, spoken.territory) == ("es_MX", "MX")
    assert spoken.number(1234.5, 1) == "1,234.5"
    assert requested_language(["--lang", "en"]).territory == "MX"


def test_a_language_that_does_not_exist_is_refused() -> None:
    """The sentence names the ones there are."""
    with pytest.raises(InputError, match="en, es"):
        requested_language(["--lang", "fr"])


@pytest.mark.parametrize("code", LANGUAGES)
def test_help_is_complete_in_each_language(code: str) -> None:
    """Every option has a help text, and the two languages do not share them."""
    parser = build_parser(language(code))
    helps = [action.help for action in parser._actions]

    assert all(helps)
    if code != "en":
        english = {action.help for action in build_parser(language("en"))._actions}
        assert not set(helps) & english


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (["--suite", "huge"], "--suite no puede ser 'huge'; elige una de estas opciones: quick, full, none."),
        (["--budget", "x"], "--budget: «x» no es un número mayor que 0."),
        (["--lang"], "--lang necesita un valor."),
        (["--compare", "a.json"], "--compare necesita 2 valores."),
        (["--report", "--doctor"], "--doctor no va con --report."),
        (["--doctor=now"], "--doctor no lleva ningún valor."),
        (["--no-such-option"], "No existe la opción --no-such-option."),
    ],
)
def test_errors_of_the_parser_speak_the_persons_language(argv: list[str], sentence: str) -> None:
    """No English word of argparse is left in them."""
    spanish = language("es")
    with pytest.raises(InputError) as caught:
        parse_arguments(argv, spanish)

    assert caught.value.sentence(spanish.gettext) == f"{sentence} Consulta: advisor --help"


def test_the_help_speaks_the_persons_language() -> None:
    """Headings, placeholders and argparse's own words, too."""
    text = build_parser(language("es")).format_help()

    assert text.startswith("uso: advisor")
    assert "--report [ARCHIVO]" in text
    assert not [word for word in ("usage", "options:", "show", "FILE ", "HOURS") if word in text]


@pytest.mark.parametrize(("text", "shape"), [("3,224,224", (3, 224, 224)), ("1x28x28", (1, 28, 28)), ("7", (7,))])
def test_the_shape_of_a_sample_is_written_as_people_do(text: str, shape: tuple[int, ...]) -> None:
    """With commas or crosses."""
    arguments = ["--workload", "model.py:build", "--input-shape", text]
    assert parse_arguments(arguments, language("en")).input_shape == shape


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


@pytest.mark.parametrize(
    ("argv", "hint"),
    [
        (("--workload", "resnet50", "--sequence-length", "9"), "sequence_length does not apply"),
        (("--workload", "resnet50", "--image-size", "5000"), "must be"),
        (("--workload", "resnet50", "--method", "lora"), "no attention"),
        (("--workload", "simple_cnn", "--samples", "10"), "make it smaller"),
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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("model.py:build", True),
        ("/a folder/Model.PY", True),
        ("C:\\nets\\model.py:build", True),
        ("model.py", True),
        ("resnet50", False),
        ("mine.toml", False),
        ("llm.python", False),
    ],
)
def test_a_python_file_is_known_by_its_name(text: str, expected: bool) -> None:
    """With or without the name in it."""
    assert is_program(text) == expected


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
