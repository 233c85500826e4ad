"""All networks of the catalogue, from the modules beside this one."""

from importlib import import_module

from traced.entry import Traced

_MODULES = (
    "own",
    "libraries",
    "vision",
    "language",
    "generative",
    "detection",
    "yolo",
    "speech",
    "control",
    "seeing",
    "acting",
    "validation",
)


def load_registry() -> tuple[dict[str, Traced], list[str]]:
    """Return the networks by name, and why some are missing."""
    registry: dict[str, Traced] = {}
    missing = []
    for module in _MODULES:
        try:
            entries = import_module(f"traced.{module}").NETWORKS  # libraries has none, but must come before its users
        except ModuleNotFoundError as error:
            missing.append(f"traced/{module}.py: {error}")
            continue
        registry |= {entry.name: entry for entry in entries}
    return registry, missing
