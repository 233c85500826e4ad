"""Advise a user whether this computer is enough for deep learning, and what to get if it is not."""

__version__ = "0.1.0"
