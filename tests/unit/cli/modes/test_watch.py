"""``--watch`` runs nothing without a yes."""

import io
import sys

import pytest

from advisor.cli import main


class Terminal(io.TextIOWrapper):
    """A user at a terminal."""

    def isatty(self) -> bool:
        """Say that it is one."""
        return True


@pytest.mark.parametrize("answer", [b"\n", b"no\n", b"", b"\xff\xfe\n"], ids=["nothing", "no", "end", "no text"])
def test_without_a_clear_yes_nothing_is_run(
    answer: bytes, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever comes from the keyboard."""
    monkeypatch.setattr(sys, "stdin", Terminal(io.BytesIO(answer), encoding="utf-8"))
    assert main(["--watch", "--lang", "en", "--", sys.executable, "-c", "raise SystemExit(7)"]) == 0
    assert "Nothing was run." in capsys.readouterr().err
