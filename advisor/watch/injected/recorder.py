"""Write down the operations of one step of a watched program: what, in which phase, and on what shapes."""

from __future__ import annotations

import contextlib
import time
from typing import Any

_MOST_CALLS = 60_000


def recorder(torch: Any, parameters: set[int]) -> Any:
    """Return a mode that writes down every operator that is no view, with the shapes of its operands.

    Parameters that no optimizer has, those of a frozen part, are found by their type.
    """
    from torch.utils._python_dispatch import TorchDispatchMode

    in_backward = getattr(torch._C, "_current_graph_task_id", lambda: -1)

    class Recorder(TorchDispatchMode):  # type: ignore[no-untyped-call]
        """See ``recorder``."""

        def __init__(self) -> None:
            super().__init__()  # type: ignore[no-untyped-call]
            self.calls: list[Any] = []
            self.copied_s = 0.0
            self.is_paused = False  # while another optimizer of the program makes its step
            self.frozen: set[int] = set()

        def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            if self.is_paused or func.namespace == "c10d":  # what processes exchange is no work of the network
                return func(*args, **(kwargs or {}))
            moved = _is_crossing(torch, func, args, kwargs)
            if moved:
                _settle(torch)
            began_s = time.perf_counter() if moved else 0.0
            result = func(*args, **(kwargs or {}))
            with contextlib.suppress(Exception):
                if moved:
                    _settle(torch)
                    self.copied_s += time.perf_counter() - began_s
                self._write(func, args, kwargs, result)
            return result

        def _write(self, func: Any, args: Any, kwargs: Any, result: Any) -> None:
            written = func._schema.is_mutable and args  # an average of the parameters is kept up, and no frozen part
            for one in args[1:] if written else args:
                if isinstance(one, torch.nn.Parameter) and one.data_ptr() not in parameters:
                    self.frozen.add(one.data_ptr())
            returns = func._schema.returns
            is_view = any(one.alias_info is not None and not one.alias_info.is_write for one in returns)
            if is_view or len(self.calls) >= _MOST_CALLS:
                return
            known = parameters, self.frozen
            given = [*args, *(kwargs or {}).values()]
            described = _described(torch, given, *known)
            name = func._schema.name.partition("::")[2]
            if _is_sparse_product(torch, name, given):
                name, described = "_sparse_product", [_entries(torch, given)]
            phase = "backward" if in_backward() != -1 else "forward"
            self.calls.append([name, phase, described, _described(torch, result, *known)])

    return Recorder()


def _is_sparse_product(torch: Any, name: str, given: list[Any]) -> bool:
    is_product = name.endswith(("mm", "mv"))
    return is_product and any(isinstance(one, torch.Tensor) and one.layout != torch.strided for one in given)


def _entries(torch: Any, given: list[Any]) -> Any:
    """Return what a product with a sparse table reads: for each entry of it a row of the other factor."""
    factors = [one for one in given if isinstance(one, torch.Tensor)][-2:]
    entries = next(one._nnz() for one in factors if one.layout != torch.strided)
    width = next((one.shape[-1] for one in factors if one.layout == torch.strided and one.dim() > 1), 1)
    shape = [entries, width]
    return {"shape": shape, "stride": [], "dtype": "float32", "place": 0, "parameter": False, "frozen": False}


def _described(torch: Any, value: Any, parameters: set[int], frozen: set[int]) -> Any:
    """Return a value as JSON can have it; of a tensor only what it is like."""
    if isinstance(value, torch.Tensor):
        place = value.data_ptr() if value.layout == torch.strided else 0
        return {
            "shape": list(value.shape),
            "stride": list(value.stride()) if value.layout == torch.strided else [],
            "dtype": str(value.dtype).partition(".")[2],
            "place": place,
            "parameter": place in parameters or place in frozen,
            "frozen": place in frozen,
        }
    if isinstance(value, (list, tuple)):
        return [_described(torch, one, parameters, frozen) for one in value]
    return value if isinstance(value, (bool, int, float, str, type(None))) else None


def dtype_of_products(calls: list[Any]) -> str:
    """Return the numeric format that most matrix products and convolutions were computed in."""
    products = [call for call in calls if call[0].endswith("mm") or call[0].startswith(("conv", "_scaled_dot"))]
    formats = [one["dtype"] for call in products for one in call[2] if isinstance(one, dict)]
    return max(set(formats), key=formats.count) if formats else ""


def rows_of(calls: list[Any]) -> int | None:
    """Return how many rows go into the first operator with parameters: the samples, or all their parts."""
    for _name, phase, arguments, _result in calls:
        tensors = [one for one in arguments if isinstance(one, dict) and one["shape"]]
        if phase == "forward" and any(one["parameter"] for one in tensors):
            rows = next((one["shape"][0] for one in tensors if not one["parameter"]), None)
            if rows:
                return int(rows)
    return None


def _is_crossing(torch: Any, func: Any, args: Any, kwargs: Any) -> bool:
    """Return whether an operator copies from the processor's memory to another device's."""
    name = func._schema.name
    source = args[0] if args else None
    if name == "aten::_to_copy" and kwargs and kwargs.get("device") is not None:
        target = torch.device(kwargs["device"])
    elif name == "aten::copy_" and len(args) > 1:
        target, source = args[0].device, args[1]
    else:
        return False
    return isinstance(source, torch.Tensor) and source.device.type == "cpu" and target.type != "cpu"


def _settle(torch: Any) -> None:
    if torch.cuda.is_available() and torch.cuda.is_initialized():
        torch.cuda.synchronize()
