"""Run uv, which resolves, downloads and installs; nothing here knows what a pack is."""

import contextlib
import sys
from pathlib import Path

import psutil
import pytest

from advisor.errors import PackError
from advisor.pack.install import Installer, pack_status
from advisor.pack.store import Store
from advisor.pack.uv import StoppedError, Uv
from advisor.records.hardware.measuring_pack import PackProgress

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the stand-ins are scripts of a Unix system")


def test_a_failed_download_leaves_the_old_pack(
    installer: Installer, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What works is not touched, and the reason is uv's own."""
    first = installer.install(installer.plan())
    monkeypatch.setenv("FAKE_FAULT", "Network unreachable")

    with pytest.raises(PackError, match="Network unreachable"):
        installer.install(installer.plan())

    assert store.manifest() == first
    assert pack_status(store).health == "ready"
    assert pack_status(store).is_unfinished


def test_stopping_is_immediate_and_resumed(installer: Installer, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A download in its midst ends when it is told to; the next plan knows of it."""
    monkeypatch.setenv("FAKE_SLEEP", "1")
    plan = installer.plan()

    def stop_in_its_midst(progress: PackProgress) -> None:
        if progress.detail == "Downloading torch":
            installer.cancel()

    with pytest.raises(StoppedError):
        installer.install(plan, stop_in_its_midst)

    assert store.is_unfinished
    assert store.manifest() is None


def test_what_uv_leaves_is_ended(tmp_path: Path) -> None:
    """It holds the other end of the pipe that is listened to."""
    script = tmp_path / "uv"
    script.write_text(f"#!/bin/sh\nsleep 300 & echo $! > {tmp_path}/left\nexit 1\n", encoding="utf-8")
    script.chmod(0o755)
    with pytest.raises(PackError, match="uv said nothing"):
        Uv(script, tmp_path).run(["venv"])
    with contextlib.suppress(psutil.NoSuchProcess):
        left = psutil.Process(int((tmp_path / "left").read_text("utf-8")))
        assert psutil.wait_procs([left], timeout=10)[1] == [] or left.status() == psutil.STATUS_ZOMBIE


def test_uv_ends_with_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has a session of its own, so that the end of a terminal alone does not reach it."""
    script = tmp_path / "uv"
    script.write_text(f"#!/bin/sh\necho $$ > {tmp_path}/number\nexec sleep 300\n", encoding="utf-8")
    script.chmod(0o755)
    uv = Uv(script, tmp_path)

    def end(_time_s: float) -> bool:
        if not (tmp_path / "number").exists() or not (tmp_path / "number").read_text("utf-8"):
            return False
        raise SystemExit(143)

    monkeypatch.setattr(uv.cancel_requested, "wait", end)
    with pytest.raises(SystemExit):
        uv.run(["venv"])
    assert not psutil.pid_exists(int((tmp_path / "number").read_text("utf-8")))
