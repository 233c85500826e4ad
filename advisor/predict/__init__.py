"""How long, how much memory, how much money: pure functions from records to records.

Knows nothing of where devices, networks, prices or measurements come from.
"""

from advisor.predict.interference import widen_for_interference
from advisor.predict.measured.calibrate import calibrate
from advisor.predict.money import Prices, price_option
from advisor.predict.own_data_loading import MeasuredLoading, own_loading, with_fed
from advisor.predict.pipeline import SlowDisk, input_rate, measured_images_per_s, slow_disk
from advisor.predict.scaling import wire
from advisor.predict.step import Target, predict, predict_many
from advisor.predict.support import is_supported
from advisor.predict.timing.step_time import remembering_steps

__all__ = [
    "MeasuredLoading",
    "Prices",
    "SlowDisk",
    "Target",
    "calibrate",
    "input_rate",
    "is_supported",
    "measured_images_per_s",
    "own_loading",
    "predict",
    "predict_many",
    "price_option",
    "remembering_steps",
    "slow_disk",
    "widen_for_interference",
    "wire",
    "with_fed",
]
