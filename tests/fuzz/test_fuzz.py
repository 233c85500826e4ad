"""Whatever a file, a line or an argument holds: it is refused in a sentence, or used; within two seconds.

``ADVISOR_FUZZ=10000`` tries so many changes for each reader, ``at_random.py`` many more. What fails is written into
``corpus/<reader>`` and tried again by every later run.
"""

import hashlib
import os
import sys
import time
import traceback
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from advisor.errors import AdvisorError
from tests.fuzz.mutation import changed_bytes, changed_json
from tests.fuzz.targets import TARGETS, Target

CORPUS = Path(__file__).with_name("corpus")
TRIES = int(os.environ.get("ADVISOR_FUZZ", "20"))
LONGEST_S = 2.0
KEPT = sorted(path for path in CORPUS.rglob("*") if path.is_file() and path.parent.name in TARGETS)


def read_within_limits(target: Target, content: bytes) -> None:
    """Read a document as the program does; only a sentence may come of it, and soon.

    The time of the processor counts: another program's is none of a reader's.
    """
    began_s = time.process_time()
    with suppress(AdvisorError):
        target.read(content)
    assert time.process_time() - began_s < LONGEST_S, "it takes too long"


@pytest.mark.parametrize("path", KEPT, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_what_once_failed_is_read(path: Path) -> None:
    """Each was found by a change at random."""
    read_within_limits(TARGETS[path.parent.name], path.read_bytes())


@pytest.mark.parametrize("name", TARGETS)
def test_a_document_as_it_should_be_is_read(name: str) -> None:
    """Else what is changed would be refused at its door, and nothing behind it tried."""
    for seed in TARGETS[name].seeds():
        with suppress(AdvisorError):
            TARGETS[name].read(seed)


@pytest.mark.slow
@pytest.mark.timeout(0)
@pytest.mark.parametrize("name", TARGETS)
def test_a_changed_document_is_refused_or_read(name: str) -> None:
    """Nothing but a sentence comes of it."""
    target = TARGETS[name]
    seeds = target.seeds()
    contents: st.SearchStrategy[bytes] = changed_bytes(seeds)
    if target.is_json:
        contents |= changed_json(seeds)

    @settings(max_examples=TRIES, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(contents)
    def read(content: bytes) -> None:
        read_within_limits(target, content)

    try:
        read()
    except BaseException as error:
        keep(name, error)
        raise


def keep(name: str, error: BaseException) -> None:
    """Write the smallest document that failed into the corpus."""
    frames = [frame.f_locals for frame, _line in traceback.walk_tb(error.__traceback__)]
    content = next((found["content"] for found in reversed(frames) if isinstance(found.get("content"), bytes)), None)
    if content is not None:
        folder = CORPUS / name
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / hashlib.sha256(content).hexdigest()[:16]
        path.write_bytes(content)
        sys.stderr.write(f"kept as {path}\n")
