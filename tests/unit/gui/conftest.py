"""The window's fixtures, for tests of what it consists of; the models are tested without a window."""

from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from advisor.catalog import preset
from advisor.gui.app.main_window import MainWindow
from advisor.gui.pages.options.page import OptionsPage
from advisor.history import History
from advisor.records.request import Observation
from advisor.records.results.report import Report
from advisor.session.forecast import conclude
from tests.gui.conftest import (
    answered,
    backend,
    no_leaks,
    open_window,
    pytest_collection_modifyitems,
    settings,
    settle,
    window,
)
from tests.gui.samples import FakeBackend, sample_report

__all__ = [
    "answered",
    "backend",
    "no_leaks",
    "open_window",
    "pytest_collection_modifyitems",
    "settings",
    "window",
]


@pytest.fixture
def kept(backend: FakeBackend, tmp_path: Path) -> History:
    """Return the backend's history, in a folder of this test."""
    backend.history = History(tmp_path / "history.sqlite3")
    return backend.history


@pytest.fixture(scope="module")
def real_report() -> Report:
    """Return a real answer over the whole catalogue, for a job where buying pays off some day."""
    sample, job = sample_report(), preset("llm_7b_lora")
    seen = Observation(machine=sample.machine, benchmark=sample.benchmark)
    return conclude(seen, job.workload, job.circumstances)


@pytest.fixture
def options(answered: MainWindow) -> OptionsPage:
    """Return the page over the sample's five options."""
    answered.stack.open("options")
    settle()
    return cast(OptionsPage, answered.stack.currentWidget())


@pytest.fixture
def opener(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str], None]:
    """Return what makes the desktop's own program a script."""
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")

    def make(script: str) -> None:
        path = tmp_path / "bin" / "xdg-open"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        path.chmod(0o755)

    return make
