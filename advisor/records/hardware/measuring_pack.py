"""The measuring pack: a private Python environment with the torch build that fits this computer's card."""

from typing import Literal

from advisor.records.base import Record

EnvironmentName = Literal["env-1", "env-2"]
"""Folder of an environment in the pack's own. No other name is taken from a file, for that folder may be deleted."""
PackStage = Literal["looking", "downloading", "checking", "done"]


class PackPlan(Record, frozen=True, kw_only=True):
    """What would be downloaded, told to the user before anything is.

    Attributes:
        backend: Which build of torch, as uv names it: ``auto``, ``cpu``, ``cu126``, ``xpu``; ``registry`` is the one
            the package registry offers without asking for a special one.
        torch_version: That was found.
        packages: How many files are downloaded.
        download_bytes: Their sizes added up; None where a server does not tell.
        needed_bytes: Free room on the disk that is asked for; None where the size is not known.
        free_bytes: Free room there is.
        hosts: Where the files come from.
        folder: Where the pack is kept.
        is_resumed: A download that was interrupted goes on.
    """

    backend: str
    torch_version: str
    packages: int
    download_bytes: int | None
    needed_bytes: int | None
    free_bytes: int
    hosts: tuple[str, ...]
    folder: str
    is_resumed: bool = False


class PackProgress(Record, frozen=True, kw_only=True):
    """How far an installation is. ``written_bytes`` is what lies on the disk so far."""

    stage: PackStage
    written_bytes: int = 0
    detail: str = ""


class PackTorch(Record, frozen=True, kw_only=True):
    """What the pack's own torch says when it is tried.

    Attributes:
        devices: Those on which a small product was computed, such as ``cpu`` and ``cuda:0``.
        faults: Device and what it said, of those that failed.
        problem: Why torch cannot be imported; empty where it can.
    """

    version: str = ""
    python: str = ""
    devices: tuple[str, ...] = ()
    faults: dict[str, str] = {}
    problem: str = ""


class PackManifest(Record, frozen=True, kw_only=True):
    """The installed pack. ``environment`` is the name of its folder beside this file."""

    environment: EnvironmentName
    backend: str
    torch_version: str
    installed_at: str


PackHealth = Literal["absent", "ready", "broken", "card_not_covered"]


class PackStatus(Record, frozen=True, kw_only=True):
    """The pack as it is now.

    Attributes:
        health: ``broken``: its Python or its torch does not start; ``card_not_covered``: torch runs, but has no code
            for the card.
        size_bytes: On the disk, with what an interrupted installation left.
        is_unfinished: An interrupted installation waits to be resumed.
    """

    health: PackHealth
    folder: str
    manifest: PackManifest | None = None
    torch: PackTorch | None = None
    size_bytes: int = 0
    is_unfinished: bool = False
