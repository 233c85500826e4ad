"""Whatever is broken: a sentence, a right status, no traceback, no half file, and no process that is left behind."""

import json
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.faults.containers import CONTAINERS, LYING
from tests.faults.fault import Fault
from tests.faults.hand_made import BOMBS, BY_HAND, HISTORIES, LYING_SYSTEM, PACKS, PROGRAMS
from tests.faults.harness import NEVER, half_written, run_fault
from tests.faults.hostile import CONFINED, DATA, MODELS, SHARED, WATCHED
from tests.faults.libraries import CALLS, DRIVERS, FORBIDDEN
from tests.faults.meanwhile import DESCRIBED, MEANWHILE, RUN_ODDLY
from tests.faults.measuring import CARDS, KEPT, OWN_CODE, TEMPORARY, TORCH
from tests.faults.strange import HALF_INSTALLED, HOMES, LOCALES, PYTHONS, VERSIONS
from tests.faults.strange_inputs import CODE, FOLDERS, JOBS, LIMITS, SCREENS, SCRIPTS
from tests.faults.surroundings import (
    CALLERS,
    FILES_ODD,
    KEPT_ODD,
    RESOURCES_GONE,
    SCREENS_ODD,
    STREAMS_ODD,
    SYSTEM_FILES,
    TORCHES,
)
from tests.faults.together import COMMANDING, TOGETHER
from tests.faults.uncommon import ODD_HOMES, ODD_OUTPUTS, ODD_SYSTEMS, WORDS
from tests.faults.used_oddly import ASKED, DISKS, SCARCE
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
    "versions": VERSIONS,
    "half installed": HALF_INSTALLED,
    "pythons": PYTHONS,
    "homes": HOMES,
    "locales": LOCALES,
    "jobs": JOBS,
    "folders": FOLDERS,
    "code": CODE,
    "scripts": SCRIPTS,
    "limits": LIMITS,
    "screens": SCREENS,
    "disks": DISKS,
    "scarce": SCARCE,
    "asked": ASKED,
    "calls": CALLS,
    "drivers": DRIVERS,
    "forbidden": FORBIDDEN,
    "callers": CALLERS,
    "odd streams": STREAMS_ODD,
    "system files": SYSTEM_FILES,
    "torch's switches": TORCHES,
    "odd screens": SCREENS_ODD,
    "odd histories": KEPT_ODD,
    "odd files": FILES_ODD,
    "resources": RESOURCES_GONE,
    "containers": CONTAINERS,
    "lying files": LYING,
    "odd words": WORDS,
    "odd outputs": ODD_OUTPUTS,
    "odd homes": ODD_HOMES,
    "odd systems": ODD_SYSTEMS,
    "meanwhile": MEANWHILE,
    "described": DESCRIBED,
    "run oddly": RUN_ODDLY,
    "by hand": BY_HAND,
    "bombs": BOMBS,
    "lying system": LYING_SYSTEM,
    "histories": HISTORIES,
    "packs": PACKS,
    "programs": PROGRAMS,
    "together": TOGETHER,
    "commanding": COMMANDING,
}
TRIES_ALL = "ADVISOR_ALL_FAULTS" in os.environ
ROWS = [
    pytest.param(fault, id=f"{table}: {fault.name}")
    for table, faults in TABLES.items()
    for fault in faults
    if TRIES_ALL or fault.is_quick
]


@cache
def may_mount() -> bool:
    """Return whether a process may have a view of the files of its own."""
    program = shutil.which("unshare")
    return program is not None and subprocess.run([program, "-rm", "true"], check=False).returncode == 0


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="faults are made with a shell's and Linux' own means")
@pytest.mark.parametrize("fault", ROWS)
def test_the_program_survives(fault: Fault, tmp_path: Path) -> None:
    """What is broken costs what it must, and nothing else."""
    if "Xvfb" in fault.script and shutil.which("Xvfb") is None:
        pytest.skip("there is no virtual screen")
    if "cc -" in fault.script and shutil.which("cc") is None:
        pytest.skip("there is no compiler of C")
    if "unshare" in fault.script and not may_mount():
        pytest.skip("this user may not mount anything, not even for a process of its own")
    outcome = run_fault(fault.script, tmp_path, timeout_s=fault.timeout_s)

    said = outcome.output[-4000:]
    assert outcome.status in fault.status, said
    assert not NEVER.search(outcome.output), said
    assert fault.says.casefold() in outcome.output.casefold(), said
    assert outcome.left == ()
    assert half_written(outcome.folder) == []
    if fault.leaves:
        assert json.loads((outcome.folder / fault.leaves).read_bytes())["schema_version"]
