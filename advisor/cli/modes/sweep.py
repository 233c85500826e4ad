"""``advisor --sweep``: a table of jobs on all devices of the catalogue, as CSV; ``--shard 3/8`` makes a part of it."""

import argparse
import csv
import io
import sys
from itertools import islice

from advisor.catalog import presets
from advisor.cli.output import DONE, write_out
from advisor.cli.question import asked_question
from advisor.fleet.jobs import read_jobs
from advisor.records.job.workload import Workload
from advisor.resource import given_path
from advisor.session.sweep import COLUMNS, Shard, sweep

_ROWS_AT_ONCE = 2000


def run_sweep_command(arguments: argparse.Namespace) -> int:
    """Write the rows as they come; the first shard begins with the names of the columns."""
    shard = Shard() if arguments.shard is None else Shard(*arguments.shard)
    rows = sweep(_jobs(arguments), shard)
    if shard.number == 1:
        write_out(_lines([COLUMNS]))
    while part := list(islice(rows, _ROWS_AT_ONCE)):
        write_out(_lines(part))
    sys.stdout.flush()
    return DONE


def _jobs(arguments: argparse.Namespace) -> list[tuple[str, Workload]]:
    """Return the jobs of a file, else the one that is named, else all ready-made ones."""
    if arguments.jobs is not None:
        return [(job.title, job.workload) for job in read_jobs(given_path(arguments.jobs))]
    if arguments.workload is not None:
        return [(arguments.workload, asked_question(arguments).workload)]
    return [(preset.workload.id, preset.workload) for preset in presets()]


def _lines(rows: list[tuple[str | float | int, ...]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()
