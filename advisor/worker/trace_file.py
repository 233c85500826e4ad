"""Traces a network from a person's own program: ``model.py:build``.

The file is run, as the person asked, in this process, which is a worker's: what it breaks breaks here. Nothing it
prints or leaves behind reaches the rest of the program.
"""

import importlib.util
import inspect
import sys
from pathlib import Path
from typing import Any, Literal

import msgspec
import torch
from torch import nn

from advisor.errors import InputError
from advisor.records.work import Network
from advisor.worker.trace import Inputs, trace_module

_EXAMPLES = "example_inputs"


def trace_file(
    reference: str,
    *,
    input_shape: tuple[int, ...] | None = None,
    input_kind: Literal["numbers", "tokens"] = "numbers",
) -> Network:
    """Return the work of the network that a function in a file builds.

    Args:
        reference: Path and name, such as ``model.py:build``; the name of a function without arguments, a class, or a
            module that is already made.
        input_shape: Of one sample, such as ``(3, 224, 224)``. None: the file has a function ``example_inputs`` that
            takes a batch size and returns the arguments.
        input_kind: ``tokens`` are whole numbers.

    Raises:
        InputError: There is no such file or name, it fails, or its network cannot be traced.
    """
    path, name = _split(reference)
    program = _run(path)
    module = _module(program, name, path)
    network = trace_module(module, _inputs(program, input_shape, input_kind, path), name=path.stem)
    shape = input_shape or ()
    return msgspec.structs.replace(
        network,
        sample="image" if len(shape) in (0, 3) else "sequence",
        image_size=shape[-1] if len(shape) == 3 else None,
        sequence_length=shape[0] if len(shape) in (1, 2) else None,
        family=_family(network),
        parameter_source="counted in the person's own program",
    )


def _split(reference: str) -> tuple[Path, str]:
    path, colon, name = reference.rpartition(":")
    if not colon or not path.endswith(".py") or not name.isidentifier():
        raise InputError(f"'{reference}' must be a file and a name in it, such as model.py:build.")
    found = Path(path).expanduser()
    if not found.is_file():
        raise InputError(f"There is no file {found.name}.")
    return found, name


def _run(path: Path) -> Any:
    """Import the file as a module, its folder first where it looks for others."""
    specification = importlib.util.spec_from_file_location(f"traced_{path.stem}", path)
    if specification is None or specification.loader is None:
        raise InputError(f"{path.name} is not a Python file.")
    program = importlib.util.module_from_spec(specification)
    sys.modules[specification.name] = program
    sys.path.insert(0, str(path.parent))
    try:
        specification.loader.exec_module(program)
    # A person's program may raise whatever it likes; it becomes one sentence.
    except Exception as error:
        raise InputError(f"{path.name} cannot be run: {_sentence(error)}") from error
    finally:
        sys.path.remove(str(path.parent))
    return program


def _module(program: Any, name: str, path: Path) -> nn.Module:
    made = getattr(program, name, None)
    if made is None:
        raise InputError(f"{path.name} has no {name}.")
    if callable(made) and not isinstance(made, nn.Module):
        if any(_is_needed(parameter) for parameter in inspect.signature(made).parameters.values()):
            raise InputError(f"{name} in {path.name} must be callable without arguments.")
        try:
            made = made()
        # As above.
        except Exception as error:
            raise InputError(f"{name} in {path.name} fails: {_sentence(error)}") from error
    if not isinstance(made, nn.Module):
        raise InputError(f"{name} in {path.name} must give a torch.nn.Module, not {type(made).__name__}.")
    return made


def _is_needed(parameter: inspect.Parameter) -> bool:
    flexible = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return parameter.default is inspect.Parameter.empty and parameter.kind not in flexible


def _inputs(program: Any, shape: tuple[int, ...] | None, kind: str, path: Path) -> Inputs:
    if shape is not None:
        dtype = torch.int64 if kind == "tokens" else torch.float32
        return lambda batch: torch.empty((batch, *shape), dtype=dtype)
    examples = getattr(program, _EXAMPLES, None)
    if not callable(examples):
        raise InputError(f"Say what goes in: an input shape, or a function {_EXAMPLES}(batch_size) in {path.name}.")
    found: Inputs = examples
    return found


def _family(network: Network) -> str:
    kinds = {operation.kind for operation in network.operations}
    if "attention" in kinds or "softmax" in kinds:
        return "transformer"
    return "recurrent" if "recurrent" in kinds else "cnn"


def _sentence(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0][:200]}" if lines else type(error).__name__
