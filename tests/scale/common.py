"""What tests over several computers share: where they may run, and how the program under test is started."""

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BRIDGE, PREFIX, NETWORK = "advscale", "advs", "10.77.1"
NODES = 4
SHAPE = "burst 256kb latency 50ms"
Network = Callable[..., None]


def marks(*programs: str) -> list[pytest.MarkDecorator]:
    """Return the marks of a module that needs root and programs of the system."""
    missing = [program for program in programs if shutil.which(program) is None]
    may_run = os.environ.get("ADVISOR_SCALE") == "1" and sys.platform == "linux" and os.geteuid() == 0
    return [
        pytest.mark.slow,
        pytest.mark.skipif(not may_run, reason="needs root, Linux and ADVISOR_SCALE=1 (make test-scale)"),
        pytest.mark.skipif(bool(missing), reason=f"needs {', '.join(missing)}"),
        pytest.mark.skipif(
            may_run and "tc" in programs and not missing and not may_join(),
            reason="needs bridges, namespaces of the network and tbf, which root may not have in a container",
        ),
    ]


def ip(command: str, *, check: bool = True) -> None:
    """Run a command of iproute2."""
    subprocess.run(command.split(), check=check, capture_output=True)


@cache
def may_join() -> bool:
    """Return whether namespaces can be made and joined by links of a rate here."""
    place = f"{PREFIX}-probe"
    try:
        ip(f"ip netns add {place}")
        ip(f"ip -n {place} link add {BRIDGE} type bridge")
        ip(f"ip -n {place} link add {PREFIX}v0 type veth peer name eth0")
        ip(f"ip netns exec {place} tc qdisc add dev eth0 root tbf rate 1gbit {SHAPE}")
    except subprocess.CalledProcessError:
        return False
    finally:
        ip(f"ip netns del {place}", check=False)
    return True


def members(node: int) -> list[int]:
    """Return the processes in a namespace."""
    done = subprocess.run(["ip", "netns", "pids", f"{PREFIX}{node}"], capture_output=True, text=True, check=False)
    return [int(word) for word in done.stdout.split()]


def environment() -> dict[str, str]:
    """Return the variables of a program under test: this tree, one thread for each process."""
    return {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}


def write_advisor(folder: Path) -> Path:
    """Return a command ``advisor`` that starts this tree wherever it is called, as an installed one would."""
    variables = {"PYTHONPATH": ROOT, "OMP_NUM_THREADS": 1, "XDG_DATA_HOME": folder}
    given = " ".join(f"{name}={shlex.quote(str(value))}" for name, value in variables.items())
    path = folder / "advisor"
    path.write_text(f'#!/bin/sh\n{given} exec {shlex.quote(sys.executable)} -m advisor "$@"\n')
    path.chmod(0o755)
    return path
