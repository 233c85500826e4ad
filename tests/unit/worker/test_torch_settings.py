"""torch's global settings: set for one case and put back after it."""

import pytest

from advisor.records.results.measured.measurement import Case
from advisor.worker.failure import NotSupportedError
from tests.unit.worker.whole import run

pytestmark = pytest.mark.torch


def test_settings_are_put_back() -> None:
    """Threads and fp32 arithmetic are after a case as they were before it, also when it fails."""
    import torch

    from advisor.worker import torch_settings

    def settings() -> list[object]:
        return [torch.get_num_threads(), *(getattr(owner, name) for owner, name in torch_settings._fp32_settings())]

    before = settings()
    run(program="matmul", size=8, threads=1)
    assert settings() == before
    with pytest.raises(NotSupportedError):
        run(program="nothing")
    assert settings() == before


def test_fp32_is_fp32_during_a_case() -> None:
    """An fp32 case allows tf32 nowhere, neither in products nor in convolutions."""
    from advisor.worker import torch_settings

    with torch_settings.case_settings(Case(id="a", program="matmul", precision="fp32")):
        inside = {getattr(owner, name) for owner, name in torch_settings._fp32_settings()}

    assert inside in ({"ieee"}, {False})
