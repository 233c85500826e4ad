"""The real headless program, as a user or a script starts it."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any


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
