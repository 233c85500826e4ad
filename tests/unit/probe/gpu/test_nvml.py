"""NVIDIA's management library, with every failure turned into a reason. Knows errors, not what is asked."""

import shutil
from types import SimpleNamespace

import pynvml
import pytest

from advisor.probe.evidence_log import EvidenceLog
from advisor.probe.gpu.nvml import Nvml, NvmlCallError
from tests.unit.probe.computers.fakes import FakeNvml, error, nvidia_card
from tests.unit.probe.gpu.driver import gap, probed


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (FakeNvml.NVML_ERROR_NO_PERMISSION, "permission_denied"),
        (FakeNvml.NVML_ERROR_TIMEOUT, "timeout"),
        (FakeNvml.NVML_ERROR_GPU_IS_LOST, "device_lost"),
        (FakeNvml.NVML_ERROR_UNKNOWN, "unreadable"),
    ],
)
def test_error_codes_become_reasons(code: int, reason: str) -> None:
    """Each error of a single call is told by its own reason."""
    assert gap(probed(nvidia_card(nvmlDeviceGetMemoryInfo=error(code))), "memory_bytes")[0] == reason


def test_real_library_without_driver() -> None:
    """The real binding on a computer without NVIDIA driver gives a reason, not an exception."""
    if shutil.which("nvidia-smi"):
        pytest.skip("this computer has an NVIDIA driver")
    with pytest.raises(NvmlCallError, match="Not Found") as caught, Nvml(pynvml):
        pass
    assert caught.value.reason == "no_driver"


def test_real_binding_has_every_name_the_probe_uses() -> None:
    """The fake's constants are the real ones, so that the fake cannot drift from the binding."""
    for name in vars(FakeNvml):
        if name.startswith(("NVML_", "nvml")):
            assert getattr(pynvml, name) == getattr(FakeNvml, name), name
    for name in FakeNvml(nvidia_card()).cards[0]:
        if name.startswith("nvml"):
            assert callable(getattr(pynvml, name)), name


def test_unknown_function_is_not_supported() -> None:
    """A binding too old to know a function answers like a card that does not support it."""
    nvml = Nvml(SimpleNamespace(NVMLError=FakeNvml.NVMLError))
    log = EvidenceLog()
    assert nvml.ask(log, "x", "nvmlDeviceGetName", None, convert=str) is None
    assert log.gaps[0].reason == "not_supported"


def test_closing_a_lost_card_is_no_failure() -> None:
    """The session ends quietly when there is nothing left to close."""
    nvml = FakeNvml(nvidia_card())
    with Nvml(nvml):
        nvml.open_count = 0
    assert nvml.called == ["nvmlInit", "nvmlShutdown"]
