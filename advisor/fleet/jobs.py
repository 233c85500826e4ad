"""The jobs of a room: one that the command line names, or a file with several.

The file::

    [[job]]
    workload = "resnet50"       # as after --workload: a name, or a .toml file beside this one
    title = "Photos, class 3 B" # may be left out, as all that follows
    people = 20                 # run it, each at a computer of their own; else as many as there are computers
    runs_per_month = 4
    deadline_h = 2              # or deadline_days
"""

from pathlib import Path

import msgspec

from advisor.catalog import find_workload
from advisor.catalog.toml_checks import check_keys, convert, read_toml
from advisor.errors import InputError, Phrase, refuse_all
from advisor.records.base import Record
from advisor.records.job.workload import Circumstances, Preset
from advisor.records.results.fleet import FleetJob
from advisor.units import DAY_S, MONTH_S

MOST_JOBS = 1000
_WEEK_S = 7 * DAY_S


class _Entry(Record, frozen=True, kw_only=True):
    """What a table of the file may hold."""

    workload: str
    title: str | None = None
    people: int | None = None
    runs_per_month: float | None = None
    deadline_s: float | None = None


def single_job(preset: Preset) -> FleetJob:
    """Return the job that everybody in the room runs."""
    return _job(preset, None, None, preset.circumstances)


def read_jobs(path: Path) -> tuple[FleetJob, ...]:
    """Return the jobs in a TOML file.

    Raises:
        InputError: It cannot be read, is no TOML, or has a mistake; the sentence names the job and the key.
    """
    content = read_toml(path)
    check_keys(content, ("job",), f"{path.name}: ", Phrase("table"))
    tables = content.get("job", [])
    if not isinstance(tables, list) or not tables or not all(isinstance(table, dict) for table in tables):
        raise InputError("{file} has no job; begin each with a line [[job]].", file=path.name)
    if len(tables) > MOST_JOBS:
        raise InputError("{file} has more than {most} jobs.", file=path.name, most=MOST_JOBS)
    found, faults = [], []
    for number, table in enumerate(tables, start=1):
        try:
            found.append(_read(table, f"{path.name}, job {number}: ", path))
        except InputError as fault:
            faults.append(fault)
    refuse_all(faults)
    return tuple(found)


def _read(table: dict[str, object], where: str, path: Path) -> FleetJob:
    if "workload" not in table:
        raise InputError('{where}there is no workload; add a line such as workload = "resnet50".', where=where)
    entry: _Entry = convert(dict(table), _Entry, where)
    name = entry.workload
    if name.casefold().endswith(".toml"):  # beside the file that names it, wherever the program was started
        name = str(path.parent / name)
    try:
        preset = find_workload(name)
    except InputError as error:
        raise InputError("{where}{fault}", where=where, fault=error) from error
    said = {"runs_per_month": entry.runs_per_month, "deadline_s": entry.deadline_s}
    circumstances = msgspec.structs.replace(
        preset.circumstances, **{name: value for name, value in said.items() if value is not None}
    )
    return _job(preset, entry.title, entry.people, circumstances)


def _job(preset: Preset, title: str | None, people: int | None, circumstances: Circumstances) -> FleetJob:
    # As the rules have it: a week, or before the next run where that is sooner.
    default_s = min(_WEEK_S, MONTH_S / circumstances.runs_per_month)
    return FleetJob(
        title=title or preset.workload.title,
        titles={} if title else preset.titles,
        workload=preset.workload,
        people=people,
        runs_per_month=circumstances.runs_per_month,
        deadline_s=circumstances.deadline_s or default_s,
        deadline_is_default=circumstances.deadline_s is None,
    )
