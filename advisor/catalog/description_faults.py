"""What is wrong with the numbers of a model's description, said so that a user can find it."""

import json

import msgspec

from advisor.errors import InputError, Phrase
from advisor.wire import json_cause

FAULTS = (KeyError, TypeError, ValueError, ArithmeticError, IndexError)
"""What reading a description may lead to; those raised on purpose say the field alone."""
_PYTHONS = ("invalid literal", "could not convert", "cannot convert")
_LONGEST = 120
_LONGEST_VALUE = 40


def whole_number(key: str, value: object, least: int = 0) -> int:
    """Return a whole number of a description; 4096.0 is one as well.

    Raises:
        ValueError: It is none, or less than the least.
    """
    whole = int(value) if isinstance(value, float) and value.is_integer() else value
    if isinstance(whole, bool) or not isinstance(whole, int) or whole < least:
        shown = json.dumps(value)[:_LONGEST_VALUE]
        raise ValueError(
            InputError(
                "{key} must be a whole number of at least {least}, and is {value}", key=key, least=least, value=shown
            )
        )
    return whole


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
    if error.args and isinstance(error.args[0], InputError):
        return error.args[0]
    said = str(error.args[0] if error.args else "")[:_LONGEST]
    if isinstance(error, (ArithmeticError, IndexError)):
        return Phrase("one that must be above 0 is 0, or one is without end")
    if said.startswith(_PYTHONS) or (isinstance(error, TypeError) and " " in said):  # Python's words, not a field
        return Phrase("a text or a list stands where a number belongs")
    return said
