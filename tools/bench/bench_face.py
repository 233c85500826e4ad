"""What the benches of the window share: the window in a process of its own, and the cases it is measured beside."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from advisor.benchmark.running.control import Control
    from advisor.gui.app.main_window import MainWindow
    from advisor.records.events import Event
    from advisor.records.request import Request
    from advisor.records.results.report import Report

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
MIB = 1024**2
MEASURED_EDGE = 1024
"""Edge of the matrices multiplied while the window is open and while it is not; training a small network is beside."""


def environment(**changes: str) -> dict[str, str]:
    """Return the variables every measured program gets: nobody's own settings and history change what is compared.

    Bytecode is written as for a user: compiling ours at every start, beside libraries that are, took a sixth longer.
    """
    paths = os.pathsep.join((str(ROOT), str(ROOT / "tools" / "bench")))
    made = {**os.environ, "LANGUAGE": "en_US", "PYTHONPATH": paths}
    made.pop("PYTHONDONTWRITEBYTECODE", None)
    made.setdefault("QT_QPA_PLATFORM", "offscreen")
    folders = {name: str(BUILD / "bench" / name.lower()) for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME")}
    return made | folders | changes


def run(code: str, *arguments: str) -> Any:
    """Run a program in a fresh process and return the JSON it printed last."""
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(), check=False)
    if done.returncode != 0 or not done.stdout.strip():
        said = f"{done.stdout[-500:]}\n{done.stderr[-2000:]}"
        raise SystemExit(f"The measured program failed ({done.returncode}):\n{said}")
    return json.loads(done.stdout.strip().splitlines()[-1])


def open_face(
    interval_s: float = 1.0, run_session: "Callable[..., Report] | None" = None
) -> "tuple[QApplication, MainWindow]":
    """Open the real window in this process, in English and light colours, sampling at an interval."""
    from advisor.gui.app import application
    from advisor.gui.backend import Backend
    from advisor.gui.base.settings import Settings

    app = application.make_application([])
    backend = Backend()
    if run_session is not None:
        backend.run_session = run_session  # type: ignore[method-assign]
    path = BUILD / f"bench-{os.getpid()}.ini"
    settings = Settings(
        path=path, language_code="en", theme="light", interval_s=interval_s, notifies=False, warns_before=False
    )
    window = application.open_window(app, backend, settings)
    app.aboutToQuit.connect(lambda: path.unlink(missing_ok=True))
    return app, window


def measure(announce: "Callable[[Event], None] | None" = None, control: "Control | None" = None) -> dict[str, float]:
    """Measure two cases of the quick suite on the processor and return their medians, in seconds."""
    from advisor.benchmark.planning.suite_plan import plan_suite
    from advisor.benchmark.running.runner import run_suite
    from advisor.probe import probe_machine
    from advisor.records.channel import Ready
    from advisor.records.results.measured.measurement import Case

    machine = probe_machine()

    def chosen(ready: Ready) -> tuple[Case, ...]:
        cases = [case for case in plan_suite("quick", machine, ready) if case.device == "cpu"]
        products = [case for case in cases if case.program == "matmul" and case.size == MEASURED_EDGE]
        return (*products[:1], *[case for case in cases if case.program == "train"][:1])

    found = run_suite(chosen, announce=announce or (lambda event: None), control=control)
    return {one.case.id: one.median_s for one in found.measurements}


def measure_and_say(request: "Request", announce: "Callable[[Event], None]", control: "Control") -> "Report":
    """Stand in for a session: measure the two cases in the window's own thread, print what they took, and end."""
    from advisor.errors import AdvisorError

    print(json.dumps(measure(announce, control)), flush=True)
    raise AdvisorError("Measured.")
