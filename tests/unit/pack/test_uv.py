"""Run uv, which resolves, downloads and installs; nothing here knows what a pack is."""

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
    left = int((tmp_path / "left").read_text("utf-8"))
    assert not psutil.pid_exists(left) or psutil.Process(left).status() == psutil.STATUS_ZOMBIE
