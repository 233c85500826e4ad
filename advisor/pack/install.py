"""Make the measuring pack beside the one in use, try it, and only then put it to use."""

import contextlib
import datetime
import json
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from advisor.errors import PackError
from advisor.pack.choice import REGISTRY
from advisor.pack.download import Download, read_lock
from advisor.pack.store import Making, Store, folder_bytes, interpreter, standalone_path, unusable
from advisor.pack.uv import Uv, find_uv
from advisor.records.hardware.measuring_pack import (
    PackManifest,
    PackPlan,
    PackProgress,
    PackStage,
    PackStatus,
    PackTorch,
)
from advisor.resource import system_environment

REQUIREMENTS = ("torch>=2.6", "numpy>=1.26", "msgspec>=0.19", "psutil>=6", "Pillow>=10", "platformdirs>=4")
"""What the worker imports."""
PYTHONS = ">=3.11,<3.15"
UNPACKED_RATIO = 4.5
"""Room on the disk per downloaded byte, packed and unpacked.

Source: measured 2026-11-21: the 14 files of torch 2.13.0 for the processor, 227 MB, take 820 MB, 3.6 times as much;
with room for the downloaded files themselves. CUDA's libraries shrink less in their files: this is on the safe side.
"""
TRIAL_S = 180.0
_WATCH_S = 1.0

Announce = Callable[[PackProgress], None]


class Installer:
    """Plans and makes a pack; ``stop`` may be called from any thread.

    Args:
        backend: Which build of torch, as uv names it.
        store: Where the pack lies.
        uv: Runs uv.
        python: The interpreter the environment is made with; None: uv finds one, or downloads one.
    """

    def __init__(self, backend: str, store: Store, uv: Uv | None = None, python: str | None = None) -> None:
        self._backend = backend
        self._store = store
        self._uv = uv if uv is not None else Uv(find_uv(), store.downloads)
        self._python = python if python is not None else own_python()
        self._lock = store.folder / "pylock.toml"

    def cancel(self) -> None:
        """Ask it to end as soon as possible; what was downloaded so far stays and is used when it is resumed."""
        self._uv.cancel_requested.set()

    def plan(self) -> PackPlan:
        """Look up what would be downloaded; changes nothing in use.

        Raises:
            PackError: Nothing that fits was found, or no network.
            StoppedError: It was stopped.
        """
        making = self._store.begin(self._backend)
        self._make_environment(making)
        self._resolve(making)
        download = read_lock(self._lock)
        return self._plan_of(download, is_resumed=making.has_begun)

    def install(self, plan: PackPlan, announce: Announce = lambda progress: None) -> PackManifest:
        """Download, try, and put to use what was planned; the pack in use stays until then.

        Raises:
            PackError: It failed; the pack in use is as before.
            StoppedError: It was stopped; planning and installing again goes on from there.
        """
        if plan.needed_bytes is not None and plan.needed_bytes > plan.free_bytes:
            raise PackError(
                "There is not enough room on the disk: {needed} GB are needed, {free} GB are free.",
                needed=round(plan.needed_bytes / 1e9, 1),
                free=round(plan.free_bytes / 1e9, 1),
            )
        making = self._store.making()
        if making is None:
            raise PackError("The measuring pack's folder was changed in the meantime; please start again.")
        self._store.mark_begun(making)
        environment = self._store.environment(making.environment)
        with _watched(self._store, announce) as announce_stage:
            arguments = [
                "pip",
                "sync",
                str(self._lock),
                "--python",
                str(interpreter(environment)),
                "--link-mode",
                "hardlink",
            ]
            self._uv.run(
                [*arguments, *self._backend_arguments()], heard=lambda line: announce_stage("downloading", line)
            )
        announce(PackProgress(stage="checking"))
        torch = try_pack(environment)
        _check(torch)
        manifest = PackManifest(
            environment=making.environment,
            backend=self._backend,
            torch_version=torch.version,
            installed_at=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        )
        self._store.use(manifest)
        announce(PackProgress(stage="done", written_bytes=self._store.size_bytes()))
        return manifest

    def _make_environment(self, making: Making) -> None:
        """Make an environment; what an interruption left of one may hold half a package that counts as installed."""
        environment = self._store.environment(making.environment)
        if making.has_begun or not interpreter(environment).exists():
            self._uv.run(["venv", "--no-project", "--clear", "--python", self._python, str(environment)])

    def _resolve(self, making: Making) -> None:
        wanted = self._store.folder / "requirements.txt"
        try:
            wanted.write_text("".join(f"{name}\n" for name in REQUIREMENTS), encoding="utf-8")
        except OSError as error:
            raise unusable(wanted, error) from error
        python = interpreter(self._store.environment(making.environment))
        arguments = ["pip", "compile", str(wanted), "--format", "pylock.toml", "--output-file", str(self._lock)]
        self._uv.run([*arguments, "--python", str(python), *self._backend_arguments()])

    def _backend_arguments(self) -> list[str]:
        return [] if self._backend == REGISTRY else ["--torch-backend", self._backend]

    def _plan_of(self, download: Download, *, is_resumed: bool) -> PackPlan:
        size = download.size_bytes
        done = folder_bytes(self._store.downloads) if is_resumed else 0
        return PackPlan(
            backend=self._backend,
            torch_version=download.torch_version,
            packages=download.packages,
            download_bytes=size,
            needed_bytes=None if size is None else max(0, round(size * UNPACKED_RATIO) - done),
            free_bytes=shutil.disk_usage(self._store.folder).free,
            hosts=download.hosts,
            folder=str(self._store.folder),
            is_resumed=is_resumed,
        )


def own_python() -> str:
    """Return the interpreter to make environments with: this program's own, or for a frozen one any that fits."""
    if getattr(sys, "frozen", False):
        return PYTHONS
    return str(getattr(sys, "_base_executable", sys.executable))


def pack_status(store: Store, expected: tuple[str, ...] = ()) -> PackStatus:
    """Return how the pack is, after trying it.

    Args:
        store: Where it lies.
        expected: Kinds of device it is to offer, such as ``cuda``.
    """
    manifest = store.manifest()
    common = {
        "folder": str(store.folder),
        "size_bytes": store.size_bytes(),
        "is_unfinished": store.is_unfinished,
    }
    if manifest is None:
        return PackStatus(health="absent", **common)  # type: ignore[arg-type]
    torch = try_pack(store.environment(manifest.environment))
    offered = {name.partition(":")[0] for name in torch.devices}
    if torch.problem or "cpu" not in offered:
        health = "broken"
    else:
        health = "ready" if not torch.faults and offered.issuperset(expected) else "card_not_covered"
    return PackStatus(health=health, manifest=manifest, torch=torch, **common)  # type: ignore[arg-type]


def try_pack(environment: Path) -> PackTorch:
    """Return what the environment's torch says of itself after a small product on every device."""
    try:
        done = subprocess.run(
            [str(interpreter(environment)), "-I", "-B", str(standalone_path()), "--try"],
            capture_output=True, env=system_environment(), timeout=TRIAL_S, check=False,
            text=True, encoding="utf-8", errors="replace", stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        return PackTorch(problem=str(error)[:500])
    lines = done.stdout.splitlines()  # a library of torch may have said something before
    try:
        return msgspec.convert(json.loads(lines[-1]), PackTorch)
    except (IndexError, ValueError, msgspec.ValidationError):
        said = done.stderr.strip().splitlines()
        return PackTorch(problem=(said or [f"exit status {done.returncode}"])[-1][:500])


def _check(torch: PackTorch) -> None:
    """Refuse an environment that cannot measure.

    Raises:
        PackError: Says what is wrong with it and what to do.
    """
    if torch.problem:
        raise PackError("The downloaded PyTorch does not start: {reason}", reason=torch.problem)
    uncovered = next((said for said in torch.faults.values() if "no kernel image" in said), None)
    if uncovered is not None:
        raise PackError(
            "The downloaded PyTorch has no code for this card. An older build may have it: "
            "advisor --measuring-pack install --torch-build cu126"
        )
    if torch.faults:
        name, said = next(iter(torch.faults.items()))
        raise PackError("The downloaded PyTorch does not work on {device}: {reason}", device=name, reason=said)


@contextlib.contextmanager
def _watched(store: Store, announce: Announce) -> Iterator[Callable[[PackStage, str], None]]:
    """Announce how much lies on the disk, again and again, and what was said last."""
    last = ["downloading", ""]
    is_over = threading.Event()

    def announce_stage(stage: PackStage, detail: str) -> None:
        last[:] = [stage, detail]

    def watch() -> None:
        while not is_over.wait(_WATCH_S):
            announce(PackProgress(stage="downloading", written_bytes=store.size_bytes(), detail=last[1]))

    watcher = threading.Thread(target=watch, name="pack-progress", daemon=True)
    watcher.start()
    try:
        yield announce_stage
    finally:
        is_over.set()
        watcher.join()
