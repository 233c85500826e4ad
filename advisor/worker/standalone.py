"""Run the worker, or a trial of torch, with the interpreter of a measuring pack.

Started as a script, ``python -I -B standalone.py --worker`` or ``--try``, it finds the program's own package by its
place, and nothing else that lies beside it: neither the torch of an installed program nor the libraries of a frozen
one may come before those of the pack. Only the standard library is imported here.
"""

import importlib.util
import json
import platform
import sys
from pathlib import Path
from types import ModuleType


def find_program() -> ModuleType:
    """Make this program's package importable under its name, and return it."""
    folder = Path(__file__).resolve().parents[1]
    spec = importlib.util.spec_from_file_location(
        "advisor", folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    assert spec is not None, "a path to a file gives a specification"
    assert spec.loader is not None, "and a loader"
    program = importlib.util.module_from_spec(spec)
    sys.modules["advisor"] = program
    spec.loader.exec_module(program)
    return program


def try_torch() -> dict[str, object]:
    """Return what torch says of itself after a product on every device; records.pack.PackTorch reads it."""
    found: dict[str, object] = {"python": platform.python_version()}
    try:
        import torch
    except (ImportError, OSError) as error:  # OSError: a library of torch cannot be loaded
        return found | {"problem": _one_line(error)}
    devices, faults = [], {}
    for name in _device_names(torch):
        try:
            ones = torch.ones(8, 8, device=name)
            total = float((ones @ ones).sum())
        except (RuntimeError, AssertionError, OSError) as error:  # "no kernel image is available", a full card
            faults[name] = _one_line(error)
            continue
        if total == 512.0:
            devices.append(name)
        else:
            faults[name] = f"8 x 8 products sum up to {total}, not to 512"
    return found | {"version": str(torch.__version__), "devices": devices, "faults": faults}


def _device_names(torch: ModuleType) -> list[str]:
    names = ["cpu"]
    for kind in ("cuda", "xpu"):
        module = getattr(torch, kind, None)
        if module is not None and module.is_available():
            names += [f"{kind}:{index}" for index in range(module.device_count())]
    if torch.backends.mps.is_available():
        names.append("mps")
    return names


def _one_line(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}"[:500]


# Also in the processes that prepare images, which import this file again under another name.
find_program()

if __name__ == "__main__":
    if sys.argv[1:] == ["--try"]:
        sys.stdout.write(json.dumps(try_torch()) + "\n")
    else:
        from advisor.worker import run_worker

        sys.exit(run_worker())
