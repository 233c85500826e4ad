"""Follows the few values that a network's own code asks for, in a trace on tensors without any.

``if mask.all()``, ``positions[kept]`` and ``torch.rand([]) < 0.1`` want values. Those of masks, positions and drawn
numbers hang on no weight and no sample: they are computed beside the trace, on the processor. What comes from the data
stays unknown, and asking for it ends the trace; only whether it is NaN or infinite is answered.
"""

import itertools
import math
from collections.abc import Callable, MutableMapping
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_flatten, tree_map
from torch.utils.weak import WeakTensorKeyDictionary

MOST_BYTES = 2**25
"""Of a value; masks of all pairs of a long text are larger, and nobody asks for them."""
_ASKS = {torch.Tag.dynamic_output_shape, torch.Tag.data_dependent_output}
_DRAWN: dict[str, Callable[[torch.Tensor], Any]] = {
    "rand": lambda made: made.fill_(0.5),
    "rand_like": lambda made: made.fill_(0.5),
    "randn": torch.Tensor.zero_,
    "randn_like": torch.Tensor.zero_,
    "randint": torch.Tensor.zero_,
    "empty": torch.Tensor.zero_,
    "new_empty": torch.Tensor.zero_,
    "empty_like": torch.Tensor.zero_,
}
"""What stands for drawn numbers: their middle, so that a layer dropped now and then is there in every run."""


class KnownValues:
    """The values of tensors of the ``meta`` device, as far as they are known."""

    def __init__(self) -> None:
        self._values: MutableMapping[torch.Tensor, torch.Tensor] = WeakTensorKeyDictionary()

    def run(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any], seed: int | None = None) -> Any:
        """Return what an operator returns, answered from known values where it asks for them.

        Args:
            func: The operator.
            args: Its arguments.
            kwargs: Those by name.
            seed: Of what it draws where it makes samples, which are kept as drawn: of them a mask chooses some, or
                nothing behind it would be counted. Else the middle stands for what is drawn.
        """
        name = func._schema.name.partition("::")[2]
        if name == "index":
            args = (args[0], [place for index in args[1] for place in self._places(index)], *args[2:])
        asks = _ASKS & set(func.tags) and name != "index"  # whose masks are numbers of places by now
        if (asks or _leaves_meta(name, kwargs)) and self._knows(args, kwargs):
            return self._answer(func, args, kwargs)
        result = func(*args, **kwargs)
        if seed is not None and name in _DRAWN:
            if self._is_worth_it(name, [result]) and self._knows(args, kwargs):
                self.remember(result, self._drawn(func, args, kwargs, seed))
        else:
            self._follow(func, name, args, kwargs, result)
        return result

    def remember(self, tensor: torch.Tensor, value: torch.Tensor) -> None:
        """Keep the value of a tensor."""
        self._values[tensor] = value

    def _value(self, one: Any) -> Any:
        if isinstance(one, torch.Tensor):
            return self._values.get(one) if one.is_meta else one
        return torch.device("cpu") if isinstance(one, torch.device) else one

    def _knows(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        return all(self._value(one) is not None for one in tree_flatten((args, kwargs))[0] if _is_tensor(one))

    def _answer(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        found = func(*tree_map(self._value, args), **tree_map(self._value, kwargs))
        return found if _leaves_meta("_to_copy", kwargs) else tree_map(self._without_values, found)

    def _without_values(self, one: Any) -> Any:
        if not isinstance(one, torch.Tensor):
            return one
        made = one.to("meta")
        self.remember(made, one)
        return made

    def _places(self, index: Any) -> list[Any]:
        """Return a mask that says which places are taken as the numbers of those places, one tensor a dimension."""
        is_mask = isinstance(index, torch.Tensor) and index.is_meta and index.dtype == torch.bool
        value = self._value(index) if is_mask else None
        return [index] if value is None else [self._without_values(one) for one in value.nonzero().unbind(1)]

    def _follow(self, func: Any, name: str, args: tuple[Any, ...], kwargs: dict[str, Any], result: Any) -> None:
        made = [one for one in tree_flatten(result)[0] if _is_tensor(one)]
        if not any(one.is_meta for one in made):
            return
        if not self._is_worth_it(name, made) or not self._knows(args, kwargs):
            self._forget(func, args)
            sound = _where_sound(name, args)
            if sound is not None:
                self.remember(result, torch.full(result.shape, sound))
            return
        try:
            with torch.no_grad():
                values = func(*tree_map(self._value, args), **tree_map(self._value, kwargs))
        # An operator may be missing on the processor in this type; its value is then not known, which is no fault.
        except Exception:  # noqa: BLE001
            self._forget(func, args)
            return
        for tensor, value in zip(made, (one for one in tree_flatten(values)[0] if _is_tensor(one)), strict=True):
            if name in _DRAWN:
                _DRAWN[name](value)
            self.remember(tensor, value)

    def _drawn(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any], seed: int) -> torch.Tensor:
        """Return what samples are, each like the first, so that a mask chooses as many of each.

        Empty whole numbers are ones: zeros are often those that a network passes over.
        """
        with torch.no_grad(), torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            value: torch.Tensor = func(*tree_map(self._value, args), **tree_map(self._value, kwargs))
        if "empty" in func._schema.name:
            value.fill_(1)
        return value[:1].expand_as(value).clone() if value.dim() else value

    def _is_worth_it(self, name: str, made: list[torch.Tensor]) -> bool:
        """Empty floating-point tensors are samples, which nobody knows."""
        is_sample = "empty" in name and any(one.is_floating_point() for one in made)
        return not is_sample and sum(one.numel() * one.element_size() for one in made) <= MOST_BYTES

    def _forget(self, func: Any, args: tuple[Any, ...]) -> None:
        """Drop the value of what an operator writes into."""
        if func._schema.is_mutable:
            for one in args:
                if _is_tensor(one):
                    self._values.pop(one, None)


class Following(TorchDispatchMode):  # type: ignore[no-untyped-call]  # torch ships it without types
    """Follows values where nothing is counted: while the samples are made."""

    def __init__(self, known: KnownValues) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._known = known
        self._seeds = itertools.count()

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        return self._known.run(func, args, kwargs or {}, next(self._seeds))


def _is_tensor(one: Any) -> bool:
    return isinstance(one, torch.Tensor)


def _where_sound(name: str, args: tuple[Any, ...]) -> bool | None:
    """Return what asking each number whether it is NaN or infinite gives in a sound network; None: not asked."""
    if args and _is_tensor(args[0]) and args[0].numel() <= MOST_BYTES:
        if name in ("isnan", "isinf"):
            return False
        if name in ("eq", "ne") and args[1] is args[0]:
            return name == "eq"
        if name in ("eq", "ne") and isinstance(args[1], float) and math.isinf(args[1]):
            return name == "ne"
    return None


def _leaves_meta(name: str, kwargs: dict[str, Any]) -> bool:
    device = kwargs.get("device")
    return name == "_to_copy" and device is not None and torch.device(device).type == "cpu"
