"""Traces a network from a user's own program: ``model.py:build``.

The file is run, as the user asked, in this process, which is a worker's: what it breaks breaks here. Nothing it
prints or leaves behind reaches the rest of the program.
"""

import importlib.util
import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import msgspec
import torch
from torch import nn

from advisor.errors import TraceError
from advisor.records.job.work import Network
from advisor.worker.tracing.operators import tensors_in
from advisor.worker.tracing.trace import Inputs, Loss, UntraceableError, VaryingError, call, first_line, trace_module

EXAMPLES, SAMPLE, LOSS = "example_inputs", "sample", "loss"
_SHOWN_NAMES = 5
_CHOOSING = ("torch.nonzero", "data-dependent", "masked_select", "aten::unique", "_local_scalar_dense")
"""What torch says of operators whose results are as long as the values tell."""
_DOUBLE = (torch.float64, torch.complex128)
"""Nobody publishes what other hardware takes for it; on most cards it takes 32 or 64 times as long as single."""
_BUILDS = ("build", "make", "create", "get_model", "get_net", "model", "net")
"""Beginnings of the names of what gives a network."""


def trace_file(
    reference: str,
    *,
    input_shape: tuple[int, ...] | None = None,
    input_kind: Literal["numbers", "tokens"] = "numbers",
) -> Network:
    """Return the work of the network that a function in a file builds.

    Args:
        reference: Path and name, such as ``model.py:build``; the name of a function without arguments, a class, or a
            module that is already made. The path alone does where one name in it is the obvious one.
        input_shape: Of one sample, such as ``(3, 224, 224)``. None: the file has a function ``example_inputs`` that
            takes a batch size and returns the arguments (a tensor, a tuple, a dict by name), or ``sample`` that does
            the same, or takes nothing and returns those of a batch.
        input_kind: ``tokens`` are whole numbers.

    Raises:
        TraceError: There is no such file or name, it fails, or its network cannot be traced.
    """
    path, name = _split(reference)
    with _beside(path):
        program = _run(path)
        name = name or _obvious(program, path)
        module = _module(program, name, path, _built)
        inputs = _inputs(program, input_shape, input_kind, path)
        example = _example(inputs, path)
        first = next(iter(tensors_in(example)), None)
        _settle(module, example, path)
        network = _traced(module, inputs, path, first, _loss(program))
    return _named(network, path, name, first)


def of_file(network: Network, reference: str, first: torch.Tensor | None) -> Network:
    """Return what was found of a network otherwise, called as ``trace_file`` would; ``first`` is what goes in first."""
    path, name = _split(reference)
    return _named(network, path, name or _obvious(sys.modules[_module_name(path)], path), first)


def _named(network: Network, path: Path, name: str, first: torch.Tensor | None) -> Network:
    return msgspec.structs.replace(
        network,
        name=f"{path.name}:{name}",
        **_sample(first),
        family=_family(network),
        parameter_source="counted in the person's own program",
    )


def load_module(
    reference: str,
    *,
    input_shape: tuple[int, ...] | None = None,
    input_kind: Literal["numbers", "tokens"] = "numbers",
) -> tuple[nn.Module, Inputs, Loss | None]:
    """Return the network that a function in a file builds, with its values, its inputs, and its loss if it says one.

    Arguments and errors are those of ``trace_file``. The inputs are shapes to be filled: their values mean nothing.
    """
    path, name = _split(reference)
    with _beside(path):
        program = _run(path)
        module = _module(program, name or _obvious(program, path), path, lambda build: build())
        inputs = _inputs(program, input_shape, input_kind, path)
        _settle(module, inputs(2), path)
        return module, inputs, _loss(program)


def import_program(reference: str) -> None:
    """Run the file of a reference, as ``load_module`` will, without building anything.

    Raises:
        TraceError: There is no such file, or it fails.
    """
    path, _name = _split(reference)
    with _beside(path):
        _run(path)


def _settle(module: nn.Module, example: Any, path: Path) -> None:
    """Run a network with lazy layers once, which tells them what they are made of."""
    if not any(isinstance(parameter, nn.parameter.UninitializedParameter) for parameter in module.parameters()):
        return
    try:
        with torch.no_grad():
            call(module, example)
    # As in _run.
    except Exception as error:
        raise TraceError("build_fails", file=path.name, name=type(module).__name__, detail=first_line(error)) from error


def _loss(program: Any) -> Loss | None:
    """Return the file's own ``loss(output, inputs)``; None where it has none."""
    found = getattr(program, LOSS, None)
    return found if callable(found) and not isinstance(found, nn.Module) else None


def _split(reference: str) -> tuple[Path, str]:
    path, colon, name = reference.rpartition(":")
    if reference.endswith(".py"):
        path, name = reference, ""
    elif not colon or not path.endswith(".py") or not name.isidentifier():
        raise TraceError("reference", name=Path(reference).name)
    found = Path(path).expanduser()
    if not found.is_file():
        raise TraceError("no_file", file=found.name)
    return found, name


@contextmanager
def _beside(path: Path) -> Iterator[None]:
    """Look for modules in the file's folder first, for as long as its code runs."""
    folder = str(path.parent.resolve())
    sys.path.insert(0, folder)
    try:
        yield
    finally:
        sys.path.remove(folder)


def _module_name(path: Path) -> str:
    return f"traced_{path.stem}"


def _run(path: Path) -> Any:
    """Import the file as a module."""
    specification = importlib.util.spec_from_file_location(_module_name(path), path)
    assert specification is not None, "a file that ends in .py is a module"
    assert specification.loader is not None
    program = importlib.util.module_from_spec(specification)
    sys.modules[specification.name] = program
    try:
        specification.loader.exec_module(program)
    except ModuleNotFoundError as error:
        raise TraceError("missing_module", file=path.name, name=error.name or first_line(error)) from error
    except SystemExit as error:
        raise TraceError("exits", file=path.name) from error
    # A user's program may raise whatever it likes; it becomes one sentence.
    except Exception as error:
        raise TraceError(_why(error, "cannot_run"), file=path.name, detail=first_line(error)) from error
    return program


def _why(error: Exception, fault: str) -> str:
    """Return the fault, or that the program insists on a card that is not here."""
    return "wants_cuda" if "cuda" in str(error).casefold() and not torch.cuda.is_available() else fault


def _module(program: Any, name: str, path: Path, build: Callable[[Callable[[], Any]], Any]) -> nn.Module:
    made = getattr(program, name, None)
    if made is None:
        known = ", ".join(_builders(program)[:_SHOWN_NAMES])
        raise TraceError("no_name" if known else "no_network", file=path.name, name=name, known=known)
    if callable(made) and not isinstance(made, nn.Module):
        if _needs_arguments(made):
            raise TraceError("needs_arguments", file=path.name, name=name)
        try:
            made = build(made)
        # As above; SystemExit is no Exception.
        except (Exception, SystemExit) as error:
            raise TraceError("build_fails", file=path.name, name=name, detail=first_line(error)) from error
    if not isinstance(made, nn.Module):
        raise TraceError("not_a_module", file=path.name, name=name, kind=type(made).__name__)
    if not any(parameter.requires_grad for parameter in made.parameters()):
        raise TraceError("nothing_to_train", file=path.name, name=name)
    if any(parameter.dtype in _DOUBLE for parameter in made.parameters() if parameter.requires_grad):
        raise TraceError("double", file=path.name, name=name)
    return made


def _builders(program: Any) -> list[str]:
    """Return the names in a program that may give a network: its own functions and classes, and modules it made."""
    return [
        name
        for name, value in vars(program).items()
        if not name.startswith("_")
        and (
            isinstance(value, nn.Module)
            or (getattr(value, "__module__", None) == program.__name__ and _gives_network(value))
        )
    ]


def _obvious(program: Any, path: Path) -> str:
    """Return the name that a person would mean who names the file alone: what builds, or the only network there is."""
    known = [name for name in _builders(program) if name not in (SAMPLE, LOSS, EXAMPLES)]
    named = [name for name in known if name.startswith(_BUILDS)]
    made = [name for name in known if isinstance(getattr(program, name), nn.Module)]
    for found in (named, made, known):
        if len(found) == 1:
            return found[0]
    if not known:
        asking = [name for name, value in vars(program).items() if name.startswith(_BUILDS) and callable(value)]
        classes = [name for name, value in vars(program).items() if _is_own_network(value, program)]
        for name in (*asking[:1], *classes[-1:]):  # of classes the last is made of the others
            raise TraceError("needs_arguments", file=path.name, name=name)
        raise TraceError("no_networks", file=path.name)
    raise TraceError("which", file=path.name, name=known[0], known=", ".join(known[:_SHOWN_NAMES]))


def _is_own_network(value: Any, program: Any) -> bool:
    return inspect.isclass(value) and issubclass(value, nn.Module) and value.__module__ == program.__name__


def _gives_network(value: Any) -> bool:
    if inspect.isclass(value):
        return issubclass(value, nn.Module) and not _needs_arguments(value)
    return inspect.isfunction(value) and not _needs_arguments(value)


def _built(build: Callable[[], Any]) -> Any:
    """Build the network without memory for its values where it can be built so; any size then fits this computer."""
    try:
        with torch.device("meta"):
            return build()
    # Some networks look at values while they are made; they are made with them, and what fails then is told.
    except Exception:  # noqa: BLE001
        return build()


def _needs_arguments(made: Callable[..., Any]) -> bool:
    flexible = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    try:
        signature = inspect.signature(made)
    except ValueError:  # made by C code, which does not say; the call will
        return False
    return any(
        parameter.default is inspect.Parameter.empty and parameter.kind not in flexible
        for parameter in signature.parameters.values()
    )


def _inputs(program: Any, shape: tuple[int, ...] | None, kind: str, path: Path) -> Inputs:
    if shape is not None:
        dtype = torch.int64 if kind == "tokens" else torch.float32
        return lambda batch: torch.empty((batch, *shape), dtype=dtype)
    examples = getattr(program, EXAMPLES, None)
    if callable(examples):
        found: Inputs = examples
        return found
    sample = getattr(program, SAMPLE, None)
    if not callable(sample):
        raise TraceError("needs_input", file=path.name)
    if _needs_arguments(sample):
        sized: Inputs = sample
        return sized
    return lambda batch: _resized(sample(), batch)


def _resized(values: Any, batch: int) -> Any:
    """Return arguments for another size of the batch: that of the first tensor, wherever others begin with it."""
    first = next((tensor for tensor in tensors_in(values) if tensor.dim()), None)
    return values if first is None else _with_batch(values, first.shape[0], batch)


def _with_batch(values: Any, old: int, new: int) -> Any:
    if isinstance(values, torch.Tensor):
        has_batch = values.dim() > 0 and values.shape[0] == old
        rows = torch.arange(new, device=values.device) % max(old, 1)
        return values.index_select(0, rows) if has_batch else values
    if isinstance(values, (tuple, list)):
        return type(values)(_with_batch(value, old, new) for value in values)
    if isinstance(values, dict):
        return {name: _with_batch(value, old, new) for name, value in values.items()}
    return values


def _example(inputs: Inputs, path: Path) -> Any:
    try:
        with torch.device("meta"):
            return inputs(2)
    # As above.
    except (Exception, SystemExit) as error:
        raise TraceError("inputs_fail", file=path.name, detail=first_line(error)) from error


def _traced(module: nn.Module, inputs: Inputs, path: Path, first: torch.Tensor | None, loss: Loss | None) -> Network:
    try:
        return trace_module(module, inputs, name=path.stem, loss=loss)
    except UntraceableError as error:
        if any(sign in error.detail for sign in _CHOOSING):
            raise TraceError("chooses", file=path.name) from error
        shape = "?" if first is None else " x ".join(map(str, first.shape))
        raise TraceError("cannot_trace", file=path.name, shape=shape, detail=error.detail) from error
    except VaryingError as error:
        raise TraceError("varies", file=path.name) from error


def _sample(first: torch.Tensor | None) -> dict[str, Any]:
    """Return what a sample is, by the first tensor that goes in: (batch, channels, height, width) is an image."""
    if first is None:
        return {"sample": "row"}
    if first.dim() >= 4:
        return {"sample": "image", "image_size": first.shape[-1]}
    if first.dim() == 3 or not first.is_floating_point():
        return {"sample": "sequence", "sequence_length": first.shape[1] if first.dim() > 1 else None}
    return {"sample": "row"}


def _family(network: Network) -> str:
    kinds = {operation.kind for operation in network.operations}
    if "attention" in kinds or "softmax" in kinds:
        return "transformer"
    return "recurrent" if "recurrent" in kinds else "cnn"
