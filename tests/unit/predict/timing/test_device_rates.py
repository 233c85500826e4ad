"""The rates of devices: what each can do at most for each kind of work, before how much of it a network gets."""

import math

import pytest

from advisor.predict.timing.device_rates import width_ratio
from tests.unit.predict.examples import CARD, changed


@pytest.mark.parametrize(("lanes", "ratio"), [(32, 0.0), (64, 0.0), (96, 0.5), (128, 1.0), (192, 1.0)])
def test_width_of_multiprocessors(lanes: float, ratio: float) -> None:
    """By peak, multiprocessors and clock."""
    card = changed(CARD, peak_flop_per_s={"fp32": lanes * 2 * 46 * 1.5e9}, boost_hz=1.5e9)
    assert math.isclose(width_ratio(card), ratio)
    assert width_ratio(changed(card, vendor="amd")) == 0.0
