"""Where a step's time goes."""

import json
from pathlib import Path

import pytest

from advisor.worker.failure import NotSupportedError
from tests.unit.worker.cases.runs import run


@pytest.mark.torch
def test_a_real_profile(tmp_path: Path) -> None:
    """The steps of a small network have its operations, its optimizer and its loading, and a trace one can open."""
    pytest.importorskip("PIL")
    path = tmp_path / "trace.json"
    options = {"steps": 2, "trace_path": str(path)}
    result = run("profile", network="simple_cnn", batch_size=4, options=options)
    profile = result.profile

    assert profile is not None
    assert (profile.steps, len(result.samples_s), profile.traced) == (2, 2, True)
    kinds = {share.kind for share in profile.shares}
    assert {"convolution", "matrix_product", "optimizer", "data_loading", "pooling"} <= kinds
    assert profile.wall_s == pytest.approx(sum(result.samples_s))
    convolutions = [one for one in profile.operations if one.kind == "convolution"]
    assert all(one.calls % 2 == 0 and "x" in one.shapes for one in convolutions)
    trace = json.loads(path.read_text(encoding="utf-8"))
    assert any(event.get("name") == "aten::addmm" for event in trace["traceEvents"])
    assert not trace.get("host_name")


@pytest.mark.torch
@pytest.mark.parametrize("name", ["vm", "a", 'o\\"dd', ""])
def test_a_trace_does_not_name_the_computer(tmp_path: Path, name: str) -> None:
    """The name goes, all else stays; a trace without one is left as it is."""
    from advisor.worker.cases.profile import blank_host_name

    path = tmp_path / "trace.json"
    known = {"schemaVersion": 1, "host_name": name, "traceEvents": [{"name": "aten::mm", "args": {"host_name": "x"}}]}
    path.write_text(json.dumps(known, indent=2), encoding="utf-8")
    blank_host_name(path)
    assert json.loads(path.read_text(encoding="utf-8")) == known | {"host_name": ""}

    path.write_text("{}", encoding="utf-8")
    blank_host_name(path)
    assert path.read_text(encoding="utf-8") == "{}"


@pytest.mark.torch
def test_networks_without_images_load_numbers() -> None:
    """A sequence network is profiled as well, and without a path no trace is written."""
    profile = run("profile", network="rnn_cell", batch_size=2, size=3, options={"steps": 1}).profile

    assert profile is not None
    assert not profile.traced
    assert "matrix_product" in {share.kind for share in profile.shares}


@pytest.mark.torch
def test_devices_without_a_profiler_are_refused() -> None:
    """Where the profiler sees nothing, no profile is made up."""
    import torch

    from advisor.worker.cases.profile import _activities

    with pytest.raises(NotSupportedError, match="does not see"):
        _activities(torch.device("mps"))
