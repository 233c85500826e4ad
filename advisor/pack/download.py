"""What a list of packages (pylock.toml, PEP 751) would download: how many bytes, and from where."""

import contextlib
import sys
import tomllib
import urllib.parse
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from advisor.errors import PackError, Phrase

_TIMEOUT_S = 15.0
_AT_ONCE = 8


class Download(NamedTuple):
    """What a lock file comes to; ``size_bytes`` is None where a server does not tell the size of a file."""

    torch_version: str
    packages: int
    size_bytes: int | None
    hosts: tuple[str, ...]


def read_lock(path: Path) -> Download:
    """Return what a lock file comes to; asks the servers for sizes that the file lacks.

    Raises:
        PackError: It is not there, or is no list of packages with torch among them.
    """
    from concurrent.futures import ThreadPoolExecutor

    try:
        packages = tomllib.loads(path.read_text("utf-8"))["packages"]
        torch_version = next(str(package["version"]) for package in packages if package["name"] == "torch")
        files = list(_files(packages))
    except (OSError, ValueError, LookupError, TypeError, AttributeError, StopIteration) as error:
        raise PackError(
            "The download failed: {reason}", reason=Phrase("uv did not make a list of packages that can be read")
        ) from error
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        sizes = list(pool.map(_size, files))
    known = [size for size in sizes if size is not None]
    return Download(
        torch_version=torch_version,
        packages=len(files),
        size_bytes=sum(known) if len(known) == len(sizes) else None,
        hosts=_hosts(files),
    )


def _hosts(files: Iterable[dict[str, Any]]) -> tuple[str, ...]:
    found = {urllib.parse.urlsplit(str(file.get("url", ""))).hostname for file in files}
    return tuple(sorted(host for host in found if host))


def _files(packages: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the file that is taken of each package for this system; a wheel before an archive of sources."""
    for package in packages:
        wheels = package.get("wheels", ())
        fitting = [wheel for wheel in wheels if _fits(wheel)] or list(wheels)
        yield fitting[0] if fitting else package.get("sdist", {})


def _fits(wheel: dict[str, Any]) -> bool:
    """Return whether a wheel may be for this system, by its name; uv's own list holds little else."""
    name = str(wheel.get("url") or wheel.get("path") or wheel.get("name") or "").rsplit("/", 1)[-1]
    mark = {"win32": "win", "darwin": "macosx"}.get(sys.platform, "linux")
    return "-any.whl" in name or mark in name


def _size(file: dict[str, Any]) -> int | None:
    if "size" in file:
        return int(file["size"])
    url = str(file.get("url", ""))
    if url.startswith("file:"):
        from urllib.request import url2pathname

        url = url2pathname(urllib.parse.urlsplit(url).path)
    elif url:
        return _told_size(url)
    with contextlib.suppress(OSError):
        return Path(url or str(file.get("path", ""))).stat().st_size
    return None


def _told_size(url: str) -> int | None:
    """Ask a server how large a file is, without downloading it."""
    if not url.startswith("https:"):
        return None
    import urllib.request  # loads what speaks to servers: every report would wait for it

    request = urllib.request.Request(url, method="HEAD")
    try:
        with urllib.request.urlopen(request, timeout=_TIMEOUT_S) as answer:
            return int(answer.headers["Content-Length"])
    except (OSError, ValueError, TypeError):  # no answer, or one without a length
        return None
