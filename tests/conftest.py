"""Set up every test: Qt paints into memory, and nothing a test starts outlives it."""

import atexit
import gc
import os
import shutil
import socket
import sys
import tempfile
from collections.abc import Generator, Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings

from tests.fakes.warm_python import warm_python

# Before anything imports Qt: no test needs a display.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# Threads of torch that wait for their next product sleep: spinning, they take the core of another test.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
# The tests read English unless they ask for something else, whatever the developer's own language.
os.environ["LANGUAGE"] = "en_US"
# Nothing a test starts, in whatever process, touches the developer's own history or packs.
os.environ["XDG_DATA_HOME"] = tempfile.mkdtemp(prefix="advisor-tests-")
atexit.register(shutil.rmtree, os.environ["XDG_DATA_HOME"], ignore_errors=True)

# How long an example takes says nothing on a busy computer.
settings.register_profile("advisor", settings.default, deadline=None, max_examples=50)
settings.load_profile("advisor")

HERE = Path(__file__).parent
WHOLE = (HERE / "end_to_end", HERE / "gui", HERE / "unit" / "gui")
"""Folders whose tests all start processes or open windows."""
WINDOWLESS = (HERE / "unit" / "gui" / "models", HERE / "unit" / "gui" / "test_backend.py")
"""What in them does neither."""


@cache
def is_whole(path: Path) -> bool:
    """Return whether the tests of a file start processes or open windows."""
    return any(one in path.parents for one in WHOLE) and not any(one in (path, *path.parents) for one in WINDOWLESS)


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Let what counts repeated tests send at once.

    Of pytest-rerunfailures: it sends twice and waits, once a test, so the second waits for the system's late
    acknowledgement of the first, 40 ms.
    """
    counted = getattr(getattr(config, "failures_db", None), "sock", None)
    if counted is not None:
        counted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what starts processes or opens windows, and put it first.

    A file's tests stay in one process, so the longest files begin first, else one of them is waited for at the end.
    """
    for item in items:
        if item.get_closest_marker("torch") or is_whole(item.path):
            item.add_marker(pytest.mark.slow)
    items.sort(key=_place)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect without looking for garbage, which took a third of the time and found next to none.

    What is there afterwards stays out of the garbage collector's rounds, and out of the search for what a test left.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


def _place(item: pytest.Item) -> int:
    if _is_end_to_end(item.path):
        return 0
    return 2 if item.get_closest_marker("slow") is None else 1


@cache
def _is_end_to_end(path: Path) -> bool:
    return WHOLE[0] in path.parents


@pytest.fixture(scope="session")
def warm() -> Iterator[str]:
    """Return an executable that does as ``sys.executable`` and has imported torch already; see ``warm_python``."""
    if sys.platform != "linux":
        yield sys.executable
        return
    with tempfile.TemporaryDirectory(prefix="warm-") as folder, warm_python(Path(folder)) as executable:
        yield executable


@pytest.fixture
def warm_workers(warm: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the processes that this program starts, and theirs, be forked from one with torch."""
    monkeypatch.setattr(sys, "executable", warm)
