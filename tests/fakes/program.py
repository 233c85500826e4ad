"""The real headless program, as a user or a script starts it."""

import contextlib
import io
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest import mock


def run(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run the program to its end, in English, from any folder, and return what it said."""
    environment = {**os.environ, "LANGUAGE": "en", "LANG": "C.UTF-8", "PYTHONPATH": str(Path(__file__).parents[2])}
    done: subprocess.CompletedProcess[str] = subprocess.run(
        [sys.executable, "-m", "advisor", *arguments],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
        env=environment,
        **options,
    )
    return done


def run_here(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Do the same in this process: a program started for the twentieth time says nothing new, and takes a second."""
    from advisor.cli import main

    out, said = io.StringIO(), io.StringIO()
    environment = mock.patch.dict(os.environ, {"LANGUAGE": "en", "LANG": "C.UTF-8"})
    with environment, contextlib.redirect_stdout(out), contextlib.redirect_stderr(said):
        try:
            status = main(arguments)
        except SystemExit as end:  # argparse ends so where an option is wrong
            status = int(end.code or 0)
    return subprocess.CompletedProcess(arguments, status, out.getvalue(), said.getvalue())
