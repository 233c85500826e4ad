"""Whatever is broken: a sentence, a right status, no traceback, no half file, and no process that is left behind."""

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.faults.fault import Fault
from tests.faults.harness import NEVER, half_written, run_fault
from tests.faults.hostile import CONFINED, DATA, MODELS, SHARED, WATCHED
from tests.faults.measuring import CARDS, KEPT, OWN_CODE, TEMPORARY, TORCH
from tests.faults.window import WINDOW
from tests.faults.without_measuring import (
    INSTALLATION,
    INTERRUPTED,
    OUTPUT,
    STREAMS,
    SURROUNDINGS,
    UNUSUAL,
    USERS_FILES,
)

TABLES = {
    "streams": STREAMS,
    "output": OUTPUT,
    "files": USERS_FILES,
    "surroundings": SURROUNDINGS,
    "unusual": UNUSUAL,
    "installation": INSTALLATION,
    "interrupted": INTERRUPTED,
    "window": WINDOW,
    "torch": TORCH,
    "cards": CARDS,
    "kept": KEPT,
    "temporary": TEMPORARY,
    "own code": OWN_CODE,
    "models": MODELS,
    "shared": SHARED,
    "data": DATA,
    "watched": WATCHED,
    "confined": CONFINED,
}
TRIES_ALL = "ADVISOR_ALL_FAULTS" in os.environ
ROWS = [
    pytest.param(fault, id=f"{table}: {fault.name}")
    for table, faults in TABLES.items()
    for fault in faults
    if TRIES_ALL or fault.is_quick
]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="faults are made with a shell's and Linux' own means")
@pytest.mark.parametrize("fault", ROWS)
def test_the_program_survives(fault: Fault, tmp_path: Path) -> None:
    """What is broken costs what it must, and nothing else."""
    if "Xvfb" in fault.script and shutil.which("Xvfb") is None:
        pytest.skip("there is no virtual screen")
    outcome = run_fault(fault.script, tmp_path, timeout_s=fault.timeout_s)

    said = outcome.output[-4000:]
    assert outcome.status in fault.status, said
    assert not NEVER.search(outcome.output), said
    assert fault.says.casefold() in outcome.output.casefold(), said
    assert outcome.left == ()
    assert half_written(outcome.folder) == []
    if fault.leaves:
        assert json.loads((outcome.folder / fault.leaves).read_bytes())["schema_version"]
