"""``--task generate`` and ``--list models``: an answer, or one sentence."""

import json
from pathlib import Path

import pytest

from advisor.cli.arguments import parse_arguments
from advisor.cli.commands import run_command
from advisor.cli.modes.serving import asked_job
from advisor.errors import InputError
from advisor.locale import language

ENGLISH = language("en")
UNMEASURED = ("--suite", "none")
ASK = ("--predict", "llama3_8b", "--on", "RTX 4090", "--task", "generate")


def run(*argv: str) -> int:
    """Run a command line."""
    return run_command(parse_arguments(argv, ENGLISH), ENGLISH)


def test_a_model_is_predicted(capsys: pytest.CaptureFixture[str]) -> None:
    """In a format, with room for a context."""
    assert run(*ASK, "--weights", "q8_0", "--context", "4096") == 0
    shown = capsys.readouterr().out
    assert "Q8_0" in shown
    assert "4,096" in shown


def test_a_model_is_predicted_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    """For programs."""
    run(*ASK, "--format", "json", "--users", "3")
    found = json.loads(capsys.readouterr().out)
    assert found["job"]["users"] == 3
    assert found["total_tokens_per_s"] == pytest.approx(3 * found["decode_tokens_per_s"])


def test_a_folder_of_a_model_is_predicted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By its config.json; nothing is fetched."""
    values = {"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": 99}
    (tmp_path / "config.json").write_text(json.dumps(values | {"model_type": "llama"}), "utf-8")
    assert run("--predict", str(tmp_path), *ASK[2:]) == 0
    assert tmp_path.name in capsys.readouterr().out


def test_known_models_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    """With their size."""
    assert run("--list", "models") == 0
    assert "Llama 3 8B" in capsys.readouterr().out


def test_models_of_this_computer_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    """With a card that is only said to be there."""
    assert run("--list", "models", "--here", "--gpu", "RTX 4060:8GB", "--weights", "q4_0", *UNMEASURED) == 0
    assert "RTX 4060" in capsys.readouterr().out


def test_a_report_says_how_to_run_a_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of a ready-made job without --task, and of a model with what the user said; a file in its format."""
    path = tmp_path / "run.md"
    assert (
        run("--report", str(path), "--workload", "chat_5_users", "--users", "4", "--gpu", "RTX 4090:24GB", *UNMEASURED)
        == 0
    )
    assert "This computer is enough" in path.read_text("utf-8")
    assert (
        run("--report", "--workload", "phi4", "--task", "generate", "--users", "2", "--format", "json", *UNMEASURED)
        == 0
    )
    found = json.loads(capsys.readouterr().out)
    assert (found["question"]["model"], found["question"]["job"]["users"]) == ("phi4", 2)


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (("--list", "devices", "--here"), "--here belongs to"),
        (("--report", "--task", "generate", "--epochs", "3"), "--epochs is about training"),
        (("--report", "--answers-per-month", "30"), "--answers-per-month goes with"),
        (("--report", "--workload", "chat_5_users", "--epochs", "3"), "--epochs is about training"),
        (("--report", "--workload", "chat_5_users", "--require", "fits"), "--require does not go"),
        (("--report", "--workload", "chat_5_users", "--task", "train"), "chat_5_users"),
        (("--report", "--task", "generate", "--hours-per-month", "900"), "between 0 and 744"),
        (("--predict", "llama3_8b", "--on", "RTX 4090", "--weights", "fp16"), "--weights goes with"),
        ((*ASK, "--weights", "q9"), "no format of weights"),
        (("--predict", "nonesuch", *ASK[2:]), "no language model"),
        ((*ASK, "--context", "99999999999"), "makes no sense"),
    ],
)
def test_what_does_not_go_together_is_said(argv: tuple[str, ...], said: str) -> None:
    """In one sentence."""
    with pytest.raises(InputError, match=said):
        run(*argv)


def test_a_small_context_holds_prompt_and_answer() -> None:
    """The prompt gives way."""
    job = asked_job(parse_arguments((*ASK, "--context", "300"), ENGLISH))
    assert (job.prompt_tokens, job.new_tokens, job.room) == (44, 256, 300)
