"""A torch that cannot use the card that is there."""

from advisor.records.base import Interval
from advisor.records.hardware.machine import Framework
from advisor.records.results.diagnosis import Outlook
from tests.unit.benchmark.diagnosed import CARD, machine
from tests.unit.benchmark.diagnosis.seen import found


def test_wrong_torch_build() -> None:
    """A card that torch cannot use is the first thing to fix; the gain is what it is predicted to do."""
    torch = Framework(version="2.13", built_for="cpu", mismatch="cpu_only_build")
    outlooks = [
        Outlook(device="cpu", device_samples_per_s=Interval(low=8, high=10)),
        Outlook(device="cuda:0", device_samples_per_s=Interval(low=80, high=100)),
    ]
    [hit] = found("wrong_torch_build", machine(CARD, torch=torch), None, outlooks=outlooks)
    assert (hit.form, hit.severity, hit.remedies) == ("cpu_only_build", "serious", ("cpu_only_build",))
    assert hit.gain == Interval(low=8, high=12.5)
    assert not found("wrong_torch_build", machine(torch=torch))
    assert not found("wrong_torch_build", machine(CARD))


def test_a_card_that_is_slower_than_the_processor_is_no_loss() -> None:
    """It is said, but nothing is promised."""
    torch = Framework(version="2.13", built_for="cpu", mismatch="cpu_only_build")
    outlooks = [
        Outlook(device="cpu", device_samples_per_s=Interval(low=80, high=100)),
        Outlook(device="cuda:0", device_samples_per_s=Interval(low=40, high=60)),
    ]
    [hit] = found("wrong_torch_build", machine(CARD, torch=torch), None, outlooks=outlooks)
    assert (hit.severity, hit.gain) == ("slight", None)
