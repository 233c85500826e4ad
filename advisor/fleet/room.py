"""From a folder and a file of jobs to the verdict, as both interfaces ask for it."""

import datetime
from pathlib import Path
from typing import NamedTuple

import msgspec

from advisor.fleet.advice import advise_fleet
from advisor.fleet.files import Found, read_fleet
from advisor.fleet.jobs import read_jobs, single_job
from advisor.records.job.workload import Circumstances, Preset
from advisor.records.results.fleet import FleetAdvice


class Room(NamedTuple):
    """The verdict, and what lay in the folder: names of files are in the latter alone."""

    found: Found
    advice: FleetAdvice

    @property
    def on_screen(self) -> FleetAdvice:
        """The verdict with the names of files in place of numbers for computers that nobody labelled."""
        names = self.found.names
        computers = (msgspec.structs.replace(c, name=names.get(c.digest, c.name)) for c in self.advice.computers)
        return msgspec.structs.replace(self.advice, computers=tuple(computers))


def judge_room(folder: Path, jobs: Path | None, usual: Preset, circumstances: Circumstances) -> Room:
    """Return the verdict for the computers whose reports lie in a folder.

    Args:
        folder: Or a ``.zip``, or a ``.jsonl``.
        jobs: A file of jobs; None: everybody runs the usual one.
        usual: The job where no file names others.
        circumstances: Country, currency, horizon, budget, and whether data must stay.

    Raises:
        InputError: There is no report, or the file of jobs has a mistake.
    """
    asked = (single_job(usual),) if jobs is None else read_jobs(jobs)
    found = read_fleet(folder)
    today = datetime.datetime.now(datetime.UTC).date()
    return Room(found, advise_fleet(found.members, [one.file for one in found.refused], asked, circumstances, today))
