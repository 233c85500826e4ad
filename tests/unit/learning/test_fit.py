"""Learning from others: honest ones help, wrong ones are outvoted, few teach nothing."""

import random

import msgspec
import pytest

from advisor.catalog import find_device
from advisor.learning.fit import learn
from advisor.learning.gather import shared_network
from advisor.predict import predict
from advisor.records.job.prediction import Calibration
from advisor.records.job.workload import Workload
from tests.unit.learning.build import DEVICE, NETWORKS, gathered, poisoned, shared, truth


def _predicted_s(network: str, calibration: Calibration | None) -> float:
    job = Workload(id="one", title="one", network=network, samples=64, batch_size=32, precision="amp", optimizer="adam")
    work = shared_network(network)
    assert work is not None
    return predict(work, job, find_device(DEVICE), calibration=calibration).time_per_step_s


def test_twenty_honest_computers_halve_the_error() -> None:
    """Of each of many devices that are not as the model has them; what a computer says that is left out counts."""
    source = random.Random(5)
    for _ in range(10):
        ratios = truth(source)
        found = learn(gathered([shared(hand, ratios, source) for hand in range(20)]))
        [one] = found.devices
        assert one.error.after <= 0.5 * one.error.before
        for factor in one.calibration.factors:
            assert factor.ratio == pytest.approx(ratios[factor.network], rel=0.03)


@pytest.mark.parametrize("factor", [3.0, 1 / 3])
@pytest.mark.parametrize("hands", [10, 20])
def test_one_tenth_of_poison_moves_nothing(hands: int, factor: float) -> None:
    """Predictions with two wrong computers of twenty stay within 3 % of those without their poison."""
    for seed in range(5):
        source = random.Random(seed)
        ratios = truth(source)
        honest = [shared(hand, ratios, source) for hand in range(hands)]
        bad = [poisoned(one, factor) if number < hands // 10 else one for number, one in enumerate(honest)]
        [clean], [dirty] = learn(gathered(honest)).devices, learn(gathered(bad)).devices
        moved = {factor.network: factor.ratio for factor in dirty.calibration.factors}
        for factor_of in clean.calibration.factors:
            assert moved[factor_of.network] == pytest.approx(factor_of.ratio, rel=0.03)
        assert _predicted_s("resnet101", dirty.calibration) == pytest.approx(
            _predicted_s("resnet101", clean.calibration), rel=0.03
        )


def test_one_computer_has_one_vote() -> None:
    """However many files it writes."""
    source = random.Random(1)
    ratios = dict.fromkeys(NETWORKS, 1.3)
    many = [shared(99, dict.fromkeys(NETWORKS, 3.0), source) for _ in range(50)]
    [one] = learn(gathered([*many, *(shared(hand, ratios, source) for hand in range(5))])).devices
    assert one.calibration.hands == 6
    assert all(factor.ratio == pytest.approx(1.3, rel=0.1) for factor in one.calibration.factors)


def test_one_measurement_is_one_vote_whoever_hands_it_in() -> None:
    """A report beside what was shared of it, or the same file under many numbers and months: nobody measures twice
    the same to the last digit.
    """
    source = random.Random(1)
    honest = [shared(hand, dict.fromkeys(NETWORKS, 1.3), source) for hand in range(5)]
    wrong = shared(90, dict.fromkeys(NETWORKS, 1.6), source)
    again = [msgspec.structs.replace(wrong, hand=f"{90 + n:016x}", month=f"2026-0{1 + n}") for n in range(9)]
    [one] = learn(gathered([*honest, *again])).devices
    assert (one.calibration.hands, one.calibration.measurements) == (6, 6 * len(NETWORKS))
    assert all(factor.ratio == pytest.approx(1.3, rel=0.1) for factor in one.calibration.factors)
    alone = learn(gathered(again))
    assert not alone.devices
    assert [(one.reason, one.hands) for one in alone.left_out] == [("few_hands", 1)]


def test_two_computers_teach_nothing() -> None:
    """What two say may be one of them."""
    source = random.Random(1)
    found = learn(gathered([shared(hand, truth(source), source) for hand in range(2)]))
    assert not found.devices
    assert [one.reason for one in found.left_out] == ["few_hands"]


def test_computers_that_contradict_each_other_are_refused() -> None:
    """Three of them agree by chance; to those that are left out they are no help."""
    source = random.Random(2)
    ratios = [0.55, 0.97, 1.0, 1.03, 1.9]
    found = learn(gathered([shared(n, dict.fromkeys(NETWORKS, r), source, noise=0.0) for n, r in enumerate(ratios)]))
    assert not found.devices
    [one] = found.left_out
    assert one.reason == "worse"
    assert one.error is not None
    assert one.error.after >= one.error.before


def test_other_networks_are_corrected_where_that_was_seen_to_help() -> None:
    """A device slow in all of them is slow in the next one; one that is off to both sides tells nothing of it."""
    source = random.Random(3)
    job = [shared(hand, dict.fromkeys(NETWORKS, 1.3), source) for hand in range(5)]
    mixed = [
        shared(hand, dict(zip(NETWORKS, (1.3, 0.8, 1.2, 0.75, 1.25, 0.8), strict=True)), source) for hand in range(5)
    ]
    [slow], [both] = learn(gathered(job)).devices, learn(gathered(mixed)).devices
    assert slow.calibration.carries_over
    assert _predicted_s("resnet101", slow.calibration) / _predicted_s("resnet101", None) == pytest.approx(1.3, rel=0.06)
    assert not both.calibration.carries_over
    assert _predicted_s("resnet101", both.calibration) == _predicted_s("resnet101", None)


def test_the_order_of_files_changes_nothing() -> None:
    """Nor do their names."""
    source = random.Random(4)
    ratios = truth(source)
    many = [shared(hand, ratios, source) for hand in range(7)]
    assert learn(gathered(many)).devices == learn(gathered(many[::-1])).devices
