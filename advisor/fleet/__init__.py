"""The verdict for a room of computers, from a folder of their reports: pure functions, no connection is opened."""

from advisor.fleet.advice import advise_fleet
from advisor.fleet.files import Found, read_fleet
from advisor.fleet.jobs import read_jobs, single_job

__all__ = ["Found", "advise_fleet", "read_fleet", "read_jobs", "single_job"]
