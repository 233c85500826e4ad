"""Serve a folder of wheels on this computer alone, as slowly as the internet and with ranges as a registry does.

Usage: python packaging/slow_wheels.py FOLDER [MB_PER_S]      (prints the port; test_pack.sh uses it)

An installation from a folder is over before anybody could interrupt it; this one can be.
"""

import hashlib
import html
import re
import sys
import time
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

FOLDER = Path(sys.argv[1]).resolve()
BYTES_PER_S = float(sys.argv[2] if len(sys.argv) > 2 else 20) * 1e6
CHUNK_BYTES = 256 * 1024


@cache
def _link(wheel: Path) -> str:
    """Return the line of a wheel, with its sum as registries give it: without, it is downloaded to be looked up."""
    with wheel.open("rb") as file:
        checksum = hashlib.file_digest(file, "sha256").hexdigest()
    name = html.escape(wheel.name)
    return f'<a href="{name}#sha256={checksum}">{name}</a>\n'


class Wheels(BaseHTTPRequestHandler):
    """Answers with the list of wheels, or with one of them or a part of it."""

    protocol_version = "HTTP/1.1"

    def do_HEAD(self) -> None:
        """Say how large a file is."""
        self._answer(with_content=False)

    def do_GET(self) -> None:
        """Send a file or the asked part of it."""
        self._answer(with_content=True)

    def log_message(self, form: str, *arguments: object) -> None:
        """Stay silent; the installer says what it does."""

    def _answer(self, *, with_content: bool) -> None:
        wheels = {path.name: path for path in FOLDER.glob("*.whl")}
        name = self.path.lstrip("/").replace("%2B", "+").replace("%2b", "+")
        if not name:
            links = "".join(_link(wheels[one]) for one in sorted(wheels))
            self._send(200, links.encode(), "text/html", {}, with_content=with_content)
        elif name in wheels:
            self._send_file(wheels[name], with_content=with_content)
        else:
            self.send_error(404)

    def _send_file(self, path: Path, *, with_content: bool) -> None:
        content, kind = path.read_bytes(), "application/octet-stream"
        asked = re.fullmatch(r"bytes=(\d*)-(\d*)", self.headers.get("Range", ""))
        if asked is None:
            self._send(200, content, kind, {"Accept-Ranges": "bytes"}, with_content=with_content)
            return
        first, last = asked.groups()
        begin = int(first) if first else max(0, len(content) - int(last))
        end = min(int(last), len(content) - 1) if first and last else len(content) - 1
        place = {"Content-Range": f"bytes {begin}-{end}/{len(content)}", "Accept-Ranges": "bytes"}
        self._send(206, content[begin : end + 1], kind, place, with_content=with_content)

    def _send(self, status: int, content: bytes, kind: str, more: dict[str, str], *, with_content: bool) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(content)), **more}.items():
            self.send_header(name, value)
        self.end_headers()
        for begin in range(0, len(content) if with_content else 0, CHUNK_BYTES):
            try:
                self.wfile.write(content[begin : begin + CHUNK_BYTES])
            except (BrokenPipeError, ConnectionResetError):  # the installer was ended, as the trial wants it
                self.close_connection = True
                return
            time.sleep(CHUNK_BYTES / BYTES_PER_S)


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), Wheels)
    print(server.server_port, flush=True)
    server.serve_forever()
