"""A trace of one case, written on request by the real worker."""

import json
from pathlib import Path

import msgspec
import pytest

from advisor.benchmark.running.trace_files import write_trace
from tests.unit.worker.cases.runs import small_case

pytestmark = [pytest.mark.torch, pytest.mark.usefixtures("warm_workers")]


def test_a_trace_alone_goes_to_the_file_that_is_named(tmp_path: Path) -> None:
    """A profiled case runs once more for its trace; where it cannot, that is told instead."""
    case = small_case("profile", id="p", network="simple_cnn", batch_size=2, options={"steps": 1})

    assert write_trace(case, tmp_path / "steps.json") is None
    assert json.loads((tmp_path / "steps.json").read_text(encoding="utf-8"))["traceEvents"]
    failure = write_trace(msgspec.structs.replace(case, network="no_such_network"), tmp_path / "none.json")
    assert failure is not None
    assert not (tmp_path / "none.json").exists()
