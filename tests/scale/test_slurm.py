"""What is handed to Slurm, run by it: four nodes on one host. Needs Debian's slurm-wlm and munge; `make test-scale`."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from advisor.records.results.scaling import Scaling
from tests.scale.common import environment, marks, write_advisor

pytestmark = marks("sbatch", "slurmctld", "slurmd", "munged")

NODES = 4
PORT = 16817
CONFIGURATION = """
ClusterName=advisor
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.sock
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
NodeName=n[1-{nodes}] NodeHostname={host} NodeAddr=127.0.0.1 Port=[{first}-{last}] CPUs=2
PartitionName=main Nodes=ALL Default=YES MaxTime=60 State=UP
"""
"""No systemd, no cgroups of Slurm's own: the controller and all nodes are processes of this host."""


class Slurm:
    """A cluster that runs."""

    def __init__(self, folder: Path, advisor: Path) -> None:
        self.folder = folder
        self._environment = {**environment(), "SLURM_CONF": str(folder / "slurm.conf"), "ADVISOR": str(advisor)}

    def run(self, *command: str, **more: str) -> str:
        """Return what a command prints."""
        own = {**self._environment, **more}
        done = subprocess.run(command, cwd=self.folder, env=own, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def advisor(self, *arguments: str) -> str:
        """Return what the program prints."""
        return self.run(sys.executable, "-m", "advisor", "--lang", "en", *arguments)

    def submit(self, *arguments: str, limit_s: float = 300.0, **more: str) -> str:
        """Submit a job, wait for all of it, and return its number."""
        number = self.run("sbatch", "--parsable", *arguments, **more).strip()
        end_s = time.monotonic() + limit_s
        while self.run("squeue", "--noheader", "--jobs", number):
            assert time.monotonic() < end_s, self.run("squeue")
            time.sleep(0.5)
        states = set(re.findall(r"JobState=(\w+)", self.run("scontrol", "show", "job", number)))
        assert states == {"COMPLETED"}, "\n".join(path.read_text() for path in self.folder.glob("*.log"))
        return number


@pytest.fixture(scope="module")
def slurm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Slurm]:
    """Start the controller and four nodes, and end them."""
    folder = tmp_path_factory.mktemp("slurm")
    folder.chmod(0o755)  # munge looks at who may write above its socket
    for name in ("state", *(f"spool-n{number}" for number in range(1, NODES + 1))):
        (folder / name).mkdir()
    (folder / "munge.key").write_bytes(os.urandom(128))
    (folder / "munge.key").chmod(0o600)
    text = CONFIGURATION.format(
        host=socket.gethostname(), folder=folder, port=PORT, nodes=NODES, first=PORT + 1, last=PORT + NODES
    )
    (folder / "slurm.conf").write_text(text)
    (folder / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\n")
    cluster = Slurm(folder, write_advisor(folder))
    files = {"key-file": "key", "socket": "sock", "pid-file": "pid", "log-file": "log", "seed-file": "seed"}
    try:
        cluster.run("munged", "--force", *(f"--{option}={folder}/munge.{end}" for option, end in files.items()))
        cluster.run("slurmctld")
        for number in range(1, NODES + 1):
            cluster.run("slurmd", "-N", f"n{number}")
        cluster.run("srun", "-N4", "true")
        yield cluster
    finally:
        for path in [*folder.glob("slurmd-*.pid"), folder / "slurmctld.pid", folder / "munge.pid"]:
            if path.exists():
                os.kill(int(path.read_text()), signal.SIGTERM)


def test_the_file_for_sbatch_measures_the_allocation(slurm: Slurm) -> None:
    """`--dry-run slurm`, submitted as it is: `--slurm` within the job finds its four nodes and measures them."""
    text = slurm.advisor("--scaling", "--dry-run", "slurm", "--node-count", "4", "--max-minutes", "2")
    (slurm.folder / "scaling.sh").write_text(text)
    number = slurm.submit("scaling.sh")
    written = (slurm.folder / f"scaling-{number}.json").read_bytes()
    found = msgspec.json.decode(written, type=Scaling)
    assert [node.name for node in found.nodes] == ["node 1", "node 2", "node 3", "node 4"]
    assert [(level.nodes, level.ranks) for level in found.levels] == [(2, 2), (4, 4)]
    assert all(level.link is not None for level in found.levels)
    assert {problem.kind for problem in found.problems} <= {"too_little_time"}
    assert found.limits is not None
    assert (found.limits.job_s, found.limits.nodes, found.limits.cores) == (3600.0, 4, 2)
    by_hand = json.loads(slurm.advisor("--scaling", "--max-minutes", "0.2", "--format", "json"))
    assert list(json.loads(written)) == list(by_hand)


@pytest.mark.brief
def test_an_array_of_reports_becomes_the_verdict_of_a_room(slurm: Slurm) -> None:
    """`--collect slurm`, one task for each node: four reports with four labels, and one answer for all of them."""
    (slurm.folder / "slurm.sh").write_text(slurm.advisor("--collect", "slurm"))
    slurm.submit(f"--array=1-{NODES}", "slurm.sh", ADVISOR_SUITE="none")
    reports = [json.loads(path.read_bytes()) for path in sorted((slurm.folder / "reports").iterdir())]
    assert [report["label"] for report in reports] == [f"task {number}" for number in range(1, NODES + 1)]
    assert slurm.advisor("--fleet", "reports").startswith("Are these computers enough? 4 computers")


@pytest.mark.brief
def test_shards_of_a_sweep_are_the_whole_table(slurm: Slurm) -> None:
    """An array of four, each with its part; together every line of the table, once."""
    (slurm.folder / "jobs.toml").write_text('[[job]]\nworkload = "resnet50"\n[[job]]\nworkload = "bert_finetuning"\n')
    command = '"$ADVISOR" --sweep --jobs jobs.toml --shard "$SLURM_ARRAY_TASK_ID/4" > "part-$SLURM_ARRAY_TASK_ID.csv"'
    slurm.submit(f"--array=1-{NODES}", "--output=sweep-%a.log", f"--wrap={command}")
    parts = [(slurm.folder / f"part-{number}.csv").read_text().splitlines() for number in range(1, NODES + 1)]
    assert all(parts)
    whole = slurm.advisor("--sweep", "--jobs", "jobs.toml").splitlines()
    assert sorted(line for part in parts for line in part) == sorted(whole)
