"""A Python that has imported torch already: what it is to run is forked from it, not started anew.

Importing torch takes 1.7 s of processor time, training once as much again, and the tests start some hundred processes
with it. ``warm_python`` yields an executable like ``sys.executable``: whoever starts it gets a small process that hands
its streams, arguments, folder and environment to a process forked from the one that waits here, passes signals on, and
ends as that one does; when it is killed, so is the other. What tests the start of a process, or a fresh one's memory,
takes the real one.
"""

import atexit
import contextlib
import fcntl
import gc
import importlib
import json
import multiprocessing
import os
import runpy
import selectors
import signal
import socket
import subprocess
import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

PRELOADED = ("torch._dynamo", "torch.utils.data", "psutil", "advisor.wire")
CLIENT = """#!{python} -IS
import json, os, signal, socket, sys

listed = os.listdir("/proc/self/fd")
streams = [int(one) for one in listed if os.access("/proc/self/fd/" + one, os.F_OK, follow_symlinks=False)]
server = socket.socket(socket.AF_UNIX)
server.connect({address!r})
for passed_on in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(passed_on, lambda number, _frame: server.send(bytes([number])))
asked = json.dumps([streams, sys.argv, os.getcwd(), dict(os.environ)]).encode()
socket.send_fds(server, [len(asked).to_bytes(4, "big")], streams)
server.sendall(asked)
for stream in streams:
    os.close(stream)
status = int(server.recv(16))
if status < 0:
    if -status != signal.SIGKILL:
        signal.signal(-status, signal.SIG_DFL)
    os.kill(os.getpid(), -status)
os._exit(status)
"""
_FREE_FROM = 500
"""Numbers of open files from here on are nobody's."""


@contextmanager
def warm_python(folder: Path) -> Iterator[str]:
    """Yield the path of an executable in a folder; what waits behind it ends with the block."""
    executable, address = folder / "python", str(folder / "socket")
    root = str(Path(__file__).parents[2])
    with subprocess.Popen(
        [sys.executable, __file__, address],
        stdin=subprocess.PIPE,  # with whose end it ends, also where this process is killed
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": root},
    ) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == b"ready\n"
        executable.write_text(CLIENT.format(python=sys.executable, address=address), encoding="utf-8")
        executable.chmod(0o755)
        yield str(executable)


class Server:
    """Who waits with torch in memory, and forks."""

    def __init__(self, address: str) -> None:
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(address)
        self._listener.listen(64)
        self._chosen = selectors.DefaultSelector()
        self._chosen.register(self._listener, selectors.EVENT_READ)
        self._chosen.register(0, selectors.EVENT_READ)

    def serve(self) -> list[str]:
        """Fork a process for each that connects; return in each of them alone, with its arguments."""
        while True:
            key = self._chosen.select()[0][0]  # one at a time: it may make the others void
            if key.fileobj is self._listener:
                arguments = self._fork()
                if arguments is not None:
                    return arguments
            elif key.fd == 0:
                sys.exit()
            elif key.fd == key.data[0]:
                self._bury(*key.data)
            else:
                self._pass_on(*key.data)

    def _fork(self) -> list[str] | None:
        """Fork for the next that connects; None in this process."""
        client = self._listener.accept()[0]
        head, streams, _flags, _address = socket.recv_fds(client, 4, 250)
        with client.makefile("rb") as rest:
            asked = json.loads(rest.read(int.from_bytes(head, "big")))
        child = os.fork()
        if child:
            for stream in streams:
                os.close(stream)
            pidfd = os.pidfd_open(child)
            self._chosen.register(pidfd, selectors.EVENT_READ, (pidfd, child, client))
            self._chosen.register(client, selectors.EVENT_READ, (pidfd, child, client))
            return None
        self._close(client)
        return _become(streams, *asked)

    def _bury(self, pidfd: int, child: int, client: socket.socket) -> None:
        """Tell the client how its process ended."""
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        with contextlib.suppress(OSError):  # it may be dead
            client.sendall(b"%d" % status)
        for one in (pidfd, client):
            with contextlib.suppress(KeyError):  # a client that died is no longer heard
                self._chosen.unregister(one)
        os.close(pidfd)
        client.close()

    def _pass_on(self, pidfd: int, _child: int, client: socket.socket) -> None:
        """Send a process the signals that its client got; kill it where the client is dead."""
        try:
            numbers = client.recv(16)
        except OSError:
            numbers = b""
        if not numbers:
            self._chosen.unregister(client)
        for number in numbers or (signal.SIGKILL,):
            with contextlib.suppress(ProcessLookupError):  # it has just ended
                signal.pidfd_send_signal(pidfd, number)

    def _close(self, client: socket.socket) -> None:
        """Close in a forked process what is the server's."""
        for key in list(self._chosen.get_map().values()):
            if isinstance(key.fileobj, socket.socket):
                key.fileobj.close()
            else:
                os.close(key.fd)
        self._chosen.close()
        client.close()


def _become(
    opened: list[int], streams: list[int], words: list[str], folder: str, environment: dict[str, str]
) -> list[str]:
    """Take the open files, the folder and the environment of who asked, and return the arguments."""
    os.setsid()
    apart = [fcntl.fcntl(one, fcntl.F_DUPFD, _FREE_FROM) for one in opened]
    for one in opened:
        os.close(one)
    for one, place in zip(apart, streams, strict=True):
        os.dup2(one, place)
        os.close(one)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    # What this process starts is warm as well, also where multiprocessing starts it.
    sys.executable, *arguments = words
    multiprocessing.set_executable(sys.executable)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - for the whole run
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(  # noqa: SIM115
        2, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False
    )
    return arguments


def run(arguments: list[str]) -> None:
    """Run what the arguments of a Python name: a module, a text or a file."""
    is_safe = "-P" in arguments
    while arguments[0] in {"-P", "-u", "-B"}:
        del arguments[0]
    kind = arguments[0]
    own = [] if is_safe else [str(Path(kind).absolute().parent) if not kind.startswith("-") else str(Path.cwd())]
    places = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    sys.path[:] = [*own, *places, *sys.path[2:]]  # without this file's folder and the server's PYTHONPATH
    importlib.invalidate_caches()
    sys.modules.pop("sitecustomize", None)
    with contextlib.suppress(ModuleNotFoundError):
        importlib.import_module("sitecustomize")
    if kind == "-m":
        sys.argv = arguments[1:]
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    elif kind == "-c":
        sys.argv = ["-c", *arguments[2:]]
        exec(compile(arguments[1], "<string>", "exec"), {"__name__": "__main__"})
    else:
        sys.argv = arguments
        runpy.run_path(kind, run_name="__main__")


def end_as_python_does(arguments: list[str]) -> NoReturn:
    """Run and end, but for taking all modules down one by one, which takes half a second."""
    try:
        run(arguments)
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
        if isinstance(end.code, str):
            sys.stderr.write(f"{end.code}\n")
    except BaseException:  # noqa: BLE001 - as Python does
        traceback.print_exc()
        status = 1
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(status & 255)


if __name__ == "__main__":
    for name in PRELOADED:
        importlib.import_module(name)
    gc.freeze()
    own_server = Server(sys.argv[1])
    os.write(1, b"ready\n")
    end_as_python_does(own_server.serve())
