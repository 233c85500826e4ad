"""The measuring pack: a torch that fits this computer's card, in a private environment that only the worker uses.

The interface never imports it. Must not know any other step.
"""

from pathlib import Path

from advisor.pack.store import Store, interpreter, standalone_path, torch_folder


def pack_worker_command(store: Store | None = None) -> tuple[str, ...] | None:
    """Return the command that starts the worker in the pack; None where there is no pack that could start."""
    environment = _environment(store or Store())
    if environment is None:
        return None
    # -I: neither the folder of the script nor what the user's variables name comes before the pack's own packages.
    # -B: a read-only program folder takes no compiled files.
    return (str(interpreter(environment)), "-I", "-B", str(standalone_path()), "--worker")


def pack_torch_folder(store: Store | None = None) -> Path | None:
    """Return where the pack's torch is installed; None where there is no pack."""
    environment = _environment(store or Store())
    return None if environment is None else torch_folder(environment)


def _environment(store: Store) -> Path | None:
    """Return the environment in use, if its interpreter is there; it goes when a system replaces its Python."""
    manifest = store.manifest()
    if manifest is None:
        return None
    environment = store.environment(manifest.environment)
    return environment if interpreter(environment).exists() else None
