"""How fast data travels between the host and an accelerator, each way, from pinned and from ordinary memory."""

import pytest

from advisor.worker.failure import NotSupportedError
from tests.unit.worker.cases.runs import run

pytestmark = pytest.mark.torch


def test_nothing_travels_to_the_processor() -> None:
    """A transfer needs an accelerator, and the refusal says why."""
    with pytest.raises(NotSupportedError, match="nothing has to travel"):
        run("transfer", size=10)


def test_nothing_is_pinned_for_apples_processor() -> None:
    """There torch would take the copy from the device to itself for one of the host's."""
    with pytest.raises(NotSupportedError, match="none is pinned"):
        run("transfer", device="mps", size=10, options={"pinned": True})
