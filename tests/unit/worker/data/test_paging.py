"""Decoding with memory kept and with memory that is given back after each photo."""

import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from advisor.report.content import own_data
from advisor.worker.data.decode import Item
from advisor.worker.data.paging import fresh_ratio
from tests.unit.worker.cases.runs import Listener

ROOT = Path(__file__).resolve().parents[4]
DECODE = """
import random, resource, sys
from advisor.worker.data.decode import Item, decode

for count in range(30):
    if count == 10:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    decode("image", Item(sys.argv[1]), 112, random.Random(count))
print((resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before) / 20)
"""


def faults(photo: Path, settings: dict[str, str]) -> float:
    """Return page faults for each photo, in a program with these settings in its environment."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MALLOC_")}
    command = [sys.executable, "-c", DECODE, str(photo)]
    done = subprocess.run(command, env={**environment, "PYTHONPATH": str(ROOT), **settings}, capture_output=True,
                          text=True, timeout=120, check=True)  # fmt: skip
    return float(done.stdout)


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """Return a photo of two megapixels."""
    image = pytest.importorskip("PIL.Image")
    path = tmp_path / "large.jpg"
    image.effect_noise((1632, 1224), 40).convert("RGB").save(path)
    return path


@pytest.mark.skipif(not hasattr(os, "confstr") or "CS_GNU_LIBC_VERSION" not in os.confstr_names, reason="glibc alone")
def test_the_settings_that_are_advised_keep_the_memory(large: Path) -> None:
    """Both together: one of them alone takes away what glibc learns from the blocks that are freed."""
    advised = dict(re.findall(r"(MALLOC_\w+_)=(\d+)", inspect.getsource(own_data)))
    assert sorted(advised) == ["MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_"]
    page = os.sysconf("SC_PAGE_SIZE")
    photo = 1632 * 1224 * 4 / page  # pages; Pillow keeps four bytes of a pixel
    assert faults(large, advised) < 0.2 * photo
    assert faults(large, {"MALLOC_TRIM_THRESHOLD_": advised["MALLOC_TRIM_THRESHOLD_"]}) > photo


def test_what_cannot_be_decoded_says_nothing(tmp_path: Path, large: Path) -> None:
    """Neither does no time; a photo of many pages is decoded in both ways."""
    (tmp_path / "no.jpg").write_text("no photo")
    assert fresh_ratio("image", [Item(str(tmp_path / "no.jpg"))], 112, time_s=0.1, progress=Listener()) == 1.0
    assert fresh_ratio("image", [Item(str(large))], 112, time_s=0.0, progress=Listener()) == 1.0
    assert fresh_ratio("image", [Item(str(large))], 112, time_s=0.1, progress=Listener()) >= 1.0
