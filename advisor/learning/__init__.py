"""Measurements of other computers: what may be given away, what is believed of theirs, and what is learned of it."""

from advisor.learning.fit import learn
from advisor.learning.gather import Gathered, gather
from advisor.learning.share import NotShared, hand_of, shared_of, write_shared

__all__ = ["Gathered", "NotShared", "gather", "hand_of", "learn", "shared_of", "write_shared"]
