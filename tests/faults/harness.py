"""One fault: a line of shell in a folder and a home of its own, and what must hold of it whatever is broken."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parents[2]
LINGER_S = 15.0
"""So long after its end a program's last processes may take to go."""
NEVER = re.compile(
    r"^Traceback|should not have|^Fatal Python|^Exception ignored|core dumped|QThread: Destroyed", re.MULTILINE
)
"""What a user must not see of any fault."""

PRELUDE = r"""
ulimit -c 0
export report="--report out.json --suite none"
export quick="--report out.json --max-minutes 0.2 --no-history"
data=$HOME/.local/share/advisor; settings=$HOME/.config/advisor; logs=$HOME/.local/state/advisor/log
module() { mkdir -p s; cat > "s/$1.py"; export PYTHONPATH="$PWD/s:$PYTHONPATH"; }
struck() {  # SIGNAL SECONDS COMMAND...: status of the command that is sent a signal so long after its first line
    # group=- : with it all that it started, where jobs are on (set -m), as a terminal sends it
    local name=$1 time=$2; shift 2
    [ -e s/torch.py ] || module sitecustomize <<END  # before it, Python itself begins
import sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "advisor.__main__": open("$PWD/begun", "w").close()
sys.meta_path.insert(0, Finder())
END
    "$@" & local struck=$!
    until [ -e begun ] || [ -e s/torch.py ]; do sleep 0.01; done
    sleep "$time"; kill -"$name" -- "$group$struck" 2> /dev/null; wait $struck
}
window() {  # SIGNAL: opens the window, waits until it stands, and ends it
    QT_QPA_PLATFORM=${QT_QPA_PLATFORM:-offscreen} advisor & local window=$!
    # It answers TERM (14 in the mask of signals that are caught) when all else is ready.
    until ! kill -0 $window 2> /dev/null || (( 0x$(sed -n 's/SigCgt:\t//p' /proc/$window/status) & 1 << 14 )); do sleep 0.1; done
    sleep "${2:-2}"; kill -"$1" $window 2> /dev/null; wait $window
}
device() {  # null|zero|full: prints the path of such a device; where this user may make one, it is this fault's alone
    local -A numbers=([null]=3 [zero]=5 [full]=7)
    if mknod -m 666 "$PWD/../$1" c 1 ${numbers[$1]} 2> /dev/null && : 2> /dev/null > "$PWD/../$1"; then
        echo "$PWD/../$1"
    else
        echo /dev/$1
    fi
}
worker() {  # waits for the measuring process and prints its number
    until pgrep --parent "$1" -f "advisor --worker"; do kill -0 "$1" || return; sleep 0.05; done
}
"""


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What a fault has left.

    Attributes:
        status: Of the last command.
        output: Both streams.
        folder: Where it ran.
        wall_s: How long it took.
        left: Commands of processes that outlived it.
    """

    status: int
    output: str
    folder: Path
    wall_s: float
    left: tuple[str, ...]


def run_fault(script: str, folder: Path, *, timeout_s: float) -> Outcome:
    """Run a line of shell in which ``advisor`` is the program, and return what came of it."""
    for name in ("home", "tmp", "bin", "here"):
        (folder / name).mkdir()
    program = folder / "bin" / "advisor"
    # Of a program in the background, a shell without jobs ignores Ctrl-C.
    program.write_text(f'#!/bin/sh\nexec env --default-signal=INT "{sys.executable}" -P -m advisor "$@"\n', "utf-8")
    program.chmod(0o755)
    python = folder / "bin" / "py"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', "utf-8")
    python.chmod(0o755)
    mark = f"ADVISOR_FAULT={folder}"
    began_s = time.monotonic()
    with (folder / "output").open("w+b") as output:
        shell = subprocess.Popen(
            ["env", "--default-signal=HUP", "bash", "-c", PRELUDE + script],  # whoever runs the tests may ignore it
            cwd=folder / "here",
            env=_environment(folder),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            status = shell.wait(timeout_s)
        except subprocess.TimeoutExpired:
            os.killpg(shell.pid, signal.SIGKILL)
            shell.wait()
            status = -signal.SIGALRM
        wall_s = time.monotonic() - began_s
        left = _left(mark)
        output.seek(0)
        text = output.read().decode("utf-8", "replace")
    return Outcome(status=status, output=text, folder=folder / "here", wall_s=wall_s, left=left)


def _environment(folder: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL") if name in os.environ}
    return {
        **kept,
        "PATH": f"{folder / 'bin'}{os.pathsep}{kept.get('PATH', '')}",
        "PYTHONPATH": str(ROOT),
        "LANGUAGE": "en_US",
        "HOME": str(folder / "home"),
        "TMPDIR": str(folder / "tmp"),
        "ADVISOR_FAULT": str(folder),
        "OMP_NUM_THREADS": "1",
    }


def _left(mark: str) -> tuple[str, ...]:
    """Return what still runs of a fault some time after its end, and end it."""
    deadline_s = time.monotonic() + LINGER_S
    while (left := list(_marked(mark))) and time.monotonic() < deadline_s:
        time.sleep(0.1)
    found = []
    for process in left:
        try:
            found.append(" ".join(process.cmdline()))
            process.kill()
        except psutil.NoSuchProcess:
            continue
    return tuple(found)


def _marked(mark: str) -> list[psutil.Process]:
    name, _equals, value = mark.partition("=")
    found = []
    for process in psutil.process_iter():
        try:
            if process.environ().get(name) == value and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
        except psutil.Error:
            continue
    return found


def half_written(folder: Path) -> list[str]:
    """Return what should not lie in a folder: temporary files, and reports that are no JSON."""
    found = [path.name for path in folder.rglob(".advisor-*")]
    for path in folder.glob("out*.json"):
        try:
            json.loads(path.read_bytes()) if path.is_file() else None
        except (ValueError, RecursionError):
            found.append(path.name)
    return found
