"""The verdict for a room of computers, from a folder of their reports: pure functions, no connection is opened."""

from advisor.fleet.advice import advise_fleet
from advisor.fleet.files import Found, NoReportsError, Refused, read_fleet
from advisor.fleet.jobs import read_jobs, single_job
from advisor.fleet.room import Room, judge_room

__all__ = [
    "Found",
    "NoReportsError",
    "Refused",
    "Room",
    "advise_fleet",
    "judge_room",
    "read_fleet",
    "read_jobs",
    "single_job",
]
