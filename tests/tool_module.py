"""Programs of ``tools``, which are no part of the package, as modules to be tested."""

import importlib.util
from pathlib import Path
from types import ModuleType


def tool_module(name: str) -> ModuleType:
    """Return a tool, read again."""
    path = next((Path(__file__).parents[1] / "tools").rglob(f"{name}.py"))
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
