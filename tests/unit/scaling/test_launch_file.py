"""Files for the tools of a site."""

import itertools
import os
import socket
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from advisor.scaling import launch_file


def test_the_batch_file_is_a_script_of_the_shell() -> None:
    """Its own variables stay, ours are filled in."""
    text = launch_file("slurm", nodes=8, minutes=7.5)
    assert "#SBATCH --nodes=8\n" in text
    assert "#SBATCH --time=13\n" in text
    assert '"scaling-$SLURM_JOB_ID.json"' in text
    assert subprocess.run(["sh", "-n"], input=text.encode(), check=False).returncode == 0


def test_the_playbook_keeps_ansibles_own_braces() -> None:
    """Only the minutes are ours."""
    text = launch_file("ansible", nodes=None, minutes=5.0)
    assert "minutes: 5\n" in text
    assert "$advisor" not in text
    assert "{{ places }}" in text


def test_the_job_of_kubernetes_keeps_the_shells_own_variables() -> None:
    """So many pods, each once on a node; the first of them measures, and its end is that of the job."""
    text = launch_file("kubernetes", nodes=6, minutes=5.0)
    assert "completions: 6\n" in text
    assert "activeDeadlineSeconds: 600\n" in text
    assert "$advisor" not in text
    script = textwrap.dedent(text.rpartition("- |\n")[2])
    shown = script.replace("advisor --scaling", "echo advisor").replace("python3 /advisor/serve.py", "true")
    shown = shown.replace("> /tmp/aside 2>&1", "").partition("cat /tmp")[0]
    done = subprocess.run(
        ["sh", "-c", shown],
        env={"JOB_COMPLETION_INDEX": "0", "PATH": os.environ["PATH"]},
        capture_output=True,
        check=True,
    )
    words = done.stdout.decode().split()
    nodes = words[words.index("--nodes") + 1].split(",")
    assert nodes[0] == "node-1=advisor-scaling-0.advisor-scaling"
    assert nodes[5] == "node-6=advisor-scaling-5.advisor-scaling"
    assert words[-4:] == ["python3", "/advisor/reach.py", "{address}", "29400"]


@pytest.mark.slow
def test_its_scripts_join_a_process_of_another_pod(tmp_path: Path) -> None:
    """What goes in here comes out of a process there, and its end is heard."""
    text = launch_file("kubernetes", nodes=2, minutes=5.0)
    for name in ("serve.py", "reach.py"):
        part = text.partition(f"  {name}: |\n")[2]
        lines = itertools.takewhile(lambda line: not line.strip() or line.startswith("    "), part.splitlines())
        (tmp_path / name).write_text(textwrap.dedent("\n".join(lines)))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    serving = subprocess.Popen([sys.executable, str(tmp_path / "serve.py"), port, "cat"])
    try:
        for said in (b"one\n", b"two\n" * 100_000):
            done = subprocess.run(
                [sys.executable, str(tmp_path / "reach.py"), "127.0.0.1", port],
                input=said,
                capture_output=True,
                check=True,
                timeout=30,
            )
            assert done.stdout == said
    finally:
        serving.kill()
        serving.wait()
