"""How long, how much memory, how much money: pure functions from records to records.

Knows nothing of where devices, networks, prices or measurements come from.
"""

from advisor.predict.calibrate import calibrate
from advisor.predict.memory import estimate_memory
from advisor.predict.money import price_option
from advisor.predict.pipeline import input_rate
from advisor.predict.step import predict, predict_many

__all__ = ["calibrate", "estimate_memory", "input_rate", "predict", "predict_many", "price_option"]
