"""Which tier, why, and why not the others: pure functions from predicted and priced options to advice.

Knows nothing of how times were predicted, where prices come from, or how the answer is worded.
"""

from advisor.recommend.advise import advise
from advisor.recommend.rules import load_rules

__all__ = ["advise", "load_rules"]
