"""All networks of the catalogue, from the modules of ``networks``."""

from importlib import import_module

from traced.entry import Traced

_MODULES = (
    "networks.own",
    "libraries",
    "networks.vision",
    "networks.language",
    "networks.generative",
    "networks.detection",
    "networks.yolo",
    "networks.speech",
    "networks.voices",
    "networks.control",
    "networks.seeing",
    "networks.acting",
    "networks.validation",
)


def load_registry() -> tuple[dict[str, Traced], list[str]]:
    """Return the networks by name, and why some are missing."""
    registry: dict[str, Traced] = {}
    missing = []
    for module in _MODULES:
        try:
            entries = import_module(f"traced.{module}").NETWORKS  # libraries has none, but must come before its users
        except ModuleNotFoundError as error:
            missing.append(f"traced/{module.replace('.', '/')}.py: {error}")
            continue
        registry |= {entry.name: entry for entry in entries}
    return registry, missing
