"""Making a pack with a stand-in for uv, a real process; trying a pack with this very interpreter."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import advisor
from advisor.errors import PackError
from advisor.pack import pack_worker_command
from advisor.pack.install import REQUIREMENTS, Installer, pack_status, try_pack
from advisor.pack.store import Store
from advisor.records.hardware.measuring_pack import PackManifest, PackPlan

WELL = '#!/bin/sh\necho \'{"version": "2.9", "python": "3.12", "devices": ["cpu"], "faults": {}}\'\n'
UNCOVERED = (
    '#!/bin/sh\necho \'{"version": "2.9", "devices": ["cpu"], '
    '"faults": {"cuda:0": "RuntimeError: CUDA error: no kernel image is available for execution on the device"}}\'\n'
)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the stand-ins are scripts of a Unix system")


def test_a_pack_is_planned_made_and_used(installer: Installer, store: Store) -> None:
    """The plan says what will be downloaded and from where; then the worker starts in the pack."""
    plan = installer.plan()
    manifest = installer.install(plan)

    assert (plan.torch_version, plan.download_bytes, plan.hosts) == ("2.9", 1000, ("host.invalid",))
    assert store.manifest() == manifest
    command = pack_worker_command(store)
    assert command is not None
    assert command[1:3] == ("-I", "-B")
    assert pack_status(store).health == "ready"


def test_a_pack_without_code_for_the_card_is_not_used(
    installer: Installer, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sentence names the build that may have it."""
    monkeypatch.setenv("FAKE_PYTHON", UNCOVERED)

    with pytest.raises(PackError, match="cu126"):
        installer.install(installer.plan())

    assert store.manifest() is None


def test_what_an_interruption_half_installed_is_not_built_upon(
    installer: Installer, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A package cut off between its files counts as installed for uv; so the environment is made again."""
    monkeypatch.setenv("FAKE_FAULT", "killed")
    with pytest.raises(PackError):
        installer.install(installer.plan())
    making = store.making()
    assert making is not None
    half = store.environment(making.environment) / "half-a-package"
    half.write_text("", encoding="utf-8")
    store.downloads.mkdir(exist_ok=True)
    monkeypatch.delenv("FAKE_FAULT")

    plan = installer.plan()

    assert plan.is_resumed
    assert not half.exists()
    assert store.downloads.is_dir()


def test_too_little_room_is_said_before_anything_is_downloaded(installer: Installer, store: Store) -> None:
    """Nothing is begun on a disk that is too small."""
    plan = PackPlan(
        backend="cpu", torch_version="2", packages=1, download_bytes=1, needed_bytes=2 * 10**9, free_bytes=10**9,
        hosts=(), folder="",
    )  # fmt: skip
    with pytest.raises(PackError, match=r"2\.0 GB are needed"):
        installer.install(plan)

    assert not store.is_unfinished


@pytest.mark.parametrize(
    ("answer", "health"),
    [
        (WELL, "ready"),
        (UNCOVERED, "card_not_covered"),
        ("#!/bin/sh\necho Illegal instruction >&2; exit 132\n", "broken"),
        ("#!/bin/sh\necho nonsense\n", "broken"),
    ],
)
def test_a_pack_is_as_it_answers(store: Store, answer: str, health: str) -> None:
    """A pack is tried, not believed."""
    python = store.environment("env-1") / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(answer, encoding="utf-8")
    python.chmod(0o755)
    store.use(PackManifest(environment="env-1", backend="cpu", torch_version="2", installed_at=""))

    assert pack_status(store).health == health


def test_a_card_that_the_pack_does_not_see(store: Store) -> None:
    """A processor's build on a computer with a card is said."""
    python = store.environment("env-1") / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(WELL, encoding="utf-8")
    python.chmod(0o755)
    store.use(PackManifest(environment="env-1", backend="cpu", torch_version="2", installed_at=""))

    assert pack_status(store, expected=("cuda",)).health == "card_not_covered"


def test_a_vanished_interpreter_is_no_worker(store: Store) -> None:
    """When the system replaces its Python, measuring goes on with the program's own torch."""
    store.use(PackManifest(environment="env-1", backend="cpu", torch_version="2", installed_at=""))

    assert pack_worker_command(store) is None
    assert pack_status(store).health == "broken"


def test_a_pack_has_what_the_worker_imports() -> None:
    """The worker runs on the pack's libraries alone; JAX, readers of sound and tables, and boosting are extras."""
    package = Path(advisor.__file__).parent
    below = [package / f"{name}.py" for name in ("__init__", "errors", "resource", "units", "wire")]
    files = [*(package / "worker").rglob("*.py"), *(package / "records").rglob("*.py"), *below]
    imported = {name for file in files for name in _imported(ast.parse(file.read_text(encoding="utf-8")))}
    wanted = {re.split("[<>=]", requirement)[0] for requirement in REQUIREMENTS}
    extras = {"jax", "lightgbm", "pyarrow", "sklearn", "soundfile", "xgboost"}
    assert imported - set(sys.stdlib_module_names) - {"advisor"} - extras == wanted - {"Pillow"} | {"PIL"}


def _imported(module: ast.Module) -> Iterator[str]:
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            yield from (name.name.partition(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


@pytest.mark.torch
def test_the_real_torch_answers(tmp_path: Path) -> None:
    """The script of the pack finds the program by its place, and torch computes."""
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', encoding="utf-8")
    python.chmod(0o755)

    answer = try_pack(tmp_path)

    assert answer.problem == ""
    assert "cpu" in answer.devices
