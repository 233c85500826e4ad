"""A file or folder that the user dropped on the window, or named, and what it was recognised as."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from advisor.records.job.work import Network
from advisor.records.job.workload import Preset
from advisor.records.results.measured.own_data import FoundData
from advisor.records.results.scaling import SiteCluster

DroppedKind = Literal[
    "data",
    "network",
    "script",
    "notebook",
    "job",
    "jobs",
    "report",
    "reports",
    "watched",
    "model",
    "described",
    "cluster",
]


@dataclass(frozen=True, kw_only=True)
class Dropped:
    """What was recognised.

    Attributes:
        path: Of the file or folder.
        kind: What it is; a Python file is a ``network`` where it has a function that makes one and nothing that trains.
        function: Of a Python file, that makes a network; empty where none looks like it.
        cells: Of a notebook, that hold code.
        found: The data.
        preset: The job.
        network: Of a watched job or a model.
        computer: The processor of a report.
        cluster: What --scaling measured of one.
    """

    path: Path
    kind: DroppedKind
    function: str = ""
    cells: int = 0
    found: FoundData | None = None
    preset: Preset | None = None
    network: Network | None = None
    computer: str = ""
    cluster: SiteCluster | None = None
