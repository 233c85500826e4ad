"""The numbers of a model's ``config.json``: its own, else those its library takes for what the file leaves out."""

from __future__ import annotations

from typing import Any

from advisor.catalog.description_faults import whole_number

Values = dict[str, Any]


def kind_of(values: Values) -> str:
    """Return what a description says it describes: of transformers, of diffusers, or of LeRobot."""
    return str(values.get("model_type") or values.get("_class_name") or values.get("type") or "")


_MOST, _MOST_LAYERS = 10**7, 500


class Numbers:
    """A description, checked as it is read; what is wrong raises ValueError with the key's name."""

    def __init__(self, values: Values, usual: Values) -> None:
        self._values = {**usual, **{key: value for key, value in values.items() if value is not None}}

    def __getitem__(self, key: str) -> int:
        """Return a whole number."""
        value = self._values[key]
        if isinstance(value, list | tuple) and len(set(value)) == 1:  # an extent, the same both ways
            value = value[0]
        most = _MOST_LAYERS if "layers" in key else _MOST
        number = whole_number(key, value)
        if number > most:
            raise ValueError(key)
        return number

    def share(self, key: str) -> float:
        """Return a number from 0 to 1."""
        value = self._values[key]
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
            raise ValueError(key)
        return float(value)

    def text(self, key: str) -> str:
        """Return a text."""
        return str(self._values[key])

    def has(self, key: str) -> bool:
        """Return whether a switch is on."""
        return bool(self._values.get(key))

    def other_than(self, key: str, usual: Any) -> bool:
        """Return whether the file says something else than what is usual."""
        return self._values.get(key, usual) not in (usual, None, False)

    def is_list(self, key: str) -> bool:
        """Return whether there are several numbers."""
        return isinstance(self._values.get(key), list | tuple)

    def first(self, *keys: str) -> int | None:
        """Return the first number that is there; None where there is none."""
        return next((self[key] for key in keys if self._values.get(key)), None)

    def list(self, key: str) -> list[Any]:
        """Return a list."""
        value = self._values[key]
        if not isinstance(value, list | tuple) or len(value) > 1000:
            raise ValueError(key)
        return list(value)

    def inner(self, key: str, usual: Values) -> Numbers:
        """Return the numbers of a part."""
        value = self._values.get(key) or {}
        if not isinstance(value, dict):
            raise TypeError(key)
        return Numbers(value, usual)

    @property
    def labels(self) -> int:
        """Classes that are told apart: 2 where the file does not say."""
        named = self._values.get("id2label") or self._values.get("label2id")
        return len(named) if isinstance(named, dict) else self.first("num_labels") or 2

    @property
    def task(self) -> str:
        """What the model was made for: ``MaskedLM`` of ``BertForMaskedLM``; empty: the body alone."""
        names = self._values.get("architectures") or [""]
        if not isinstance(names, list | tuple):
            raise TypeError("architectures")
        return str(names[0]).partition("For")[2]
