"""What holds this computer back? Findings from machine, measurements and predictions, each with its evidence. Pure.

Each rule is a function from what was seen to findings; thresholds stand beside it with their reason.
"""

from advisor.benchmark.diagnosis.rules import RULES, diagnose

__all__ = ["RULES", "diagnose"]
