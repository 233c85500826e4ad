"""Files for the tools of a site."""

import subprocess

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
