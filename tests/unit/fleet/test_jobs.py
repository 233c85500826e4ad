"""The jobs of a room: from one name, or from a file in which each mistake is one sentence."""

from pathlib import Path

import pytest

from advisor.catalog import find_workload
from advisor.errors import InputError
from advisor.fleet import read_jobs, single_job
from advisor.units import DAY_S, HOUR_S

JOBS = """
[[job]]
workload = "resnet50"
title = "Photos"
people = 20
runs_per_month = 4
deadline_h = 2

[[job]]
workload = "own.toml"
"""
OWN = """
[workload]
network = "resnet18"
samples = 5000
"""


def test_a_file_names_presets_and_files_beside_it(tmp_path: Path) -> None:
    """A job of the catalogue with its settings, and a file with none."""
    (tmp_path / "jobs.toml").write_text(JOBS)
    (tmp_path / "own.toml").write_text(OWN)
    photos, own = read_jobs(tmp_path / "jobs.toml")
    assert (photos.title, photos.people, photos.runs_per_month) == ("Photos", 20, 4)
    assert (photos.deadline_s, photos.deadline_is_default) == (2 * HOUR_S, False)
    assert (own.workload.network, own.workload.samples, own.people) == ("resnet18", 5000, None)
    assert (own.deadline_s, own.deadline_is_default) == (7 * DAY_S, True)


def test_who_runs_it_daily_waits_a_day_at_most(tmp_path: Path) -> None:
    """Without a deadline a run must end before the next one."""
    (tmp_path / "jobs.toml").write_text('[[job]]\nworkload = "resnet18"\nruns_per_month = 30\n')
    [job] = read_jobs(tmp_path / "jobs.toml")
    assert job.deadline_s == pytest.approx(DAY_S, rel=0.02)


def test_the_job_of_the_command_line_is_everybodys() -> None:
    """Without a file all people run the one job."""
    job = single_job(find_workload("simple_cnn"))
    assert job.people is None
    assert job.workload.network == "simple_cnn"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "has no job"),
        ("[job]\nworkload = 'resnet50'", "has no job"),
        ("[[job]]\ntitle = 'x'", "job 1: there is no workload"),
        ("[[job]]\nworkload = 'resnet5O'", "job 1: .*resnet50"),
        ("[[job]]\nworkload = 'resnet50'\npeopel = 3", "did you mean people"),
        ("[[job]]\nworkload = 'resnet50'\npeople = 0", "people"),
        ("[[job]]\nworkload = 'resnet50'\npeople = 2.5", "people"),
        ("[[job]]\nworkload = 'none.toml'", "job 1: none.toml cannot be read"),
        ("[[jobs]]\nworkload = 'resnet50'", "did you mean job"),
        ("[[job", "not valid TOML"),
    ],
)
def test_a_mistake_is_one_sentence(tmp_path: Path, text: str, said: str) -> None:
    """Status 2 or an InputError, and one line that says what is wrong."""
    (tmp_path / "jobs.toml").write_text(text)
    with pytest.raises(InputError, match=said):
        read_jobs(tmp_path / "jobs.toml")
