"""What is wrong with the numbers of a model's description, said so that a user can find it."""

import msgspec

from advisor.errors import InputError, Phrase
from advisor.wire import json_cause

FAULTS = (KeyError, TypeError, ValueError, ArithmeticError, IndexError)
"""What reading a description may lead to; those raised on purpose say the field alone."""
_PYTHONS = ("invalid literal", "could not convert", "cannot convert")
_LONGEST = 120


def senseless(name: str, error: Exception) -> InputError:
    """Return that a description cannot be reckoned with, and what of it."""
    return InputError(
        "The description of '{name}' lacks a number, or has one that makes no sense: {detail}",
        name=name,
        detail=_detail(error),
    )


def _detail(error: Exception) -> InputError | str:
    if isinstance(error, msgspec.ValidationError):
        return json_cause(error)
    said = str(error.args[0] if error.args else "")[:_LONGEST]
    if isinstance(error, (ArithmeticError, IndexError)):
        return Phrase("one that must be above 0 is 0, or one is without end")
    if said.startswith(_PYTHONS) or (isinstance(error, TypeError) and " " in said):  # Python's words, not a field
        return Phrase("a text or a list stands where a number belongs")
    return said
