"""Programs of ``tools``, which are no part of the package, as modules to be tested."""

import importlib.util
from pathlib import Path
from types import ModuleType


def tool_module(name: str) -> ModuleType:
    """Return a tool, read again."""
    spec = importlib.util.spec_from_file_location(name, Path(__file__).parents[1] / "tools" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
