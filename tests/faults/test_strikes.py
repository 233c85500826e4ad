"""Stop the program at random moments of whatever it does: nothing that runs, no half a file and no traceback is left.

``ADVISOR_STRIKES=500`` makes so many, ``ADVISOR_SEED=7`` others than usual; the name of each test says what was done.
"""

import os
import random
import sqlite3
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.faults.harness import NEVER, half_written, run_fault

COUNT = int(os.environ.get("ADVISOR_STRIKES", "4"))
SEED = int(os.environ.get("ADVISOR_SEED", "1"))
COMMANDS = {
    "quick check": ("--report out.json --suite quick", 25.0),
    "check and PDF": ("--report out.json --max-minutes 0.1; advisor --report out.pdf --suite none", 8.0),
    "report": ("--report out.json --suite none", 1.5),
    "PDF": ("--report out.pdf --suite none", 3.0),
    "predict": ("--predict resnet50 --on 'RTX 4090'", 0.8),
    "list": ("--list offers", 0.6),
    "doctor": ("--doctor", 0.8),
    "own network": ("--report out.json --suite none --workload own.py:build --image-size 32", 5.0),
    "own photos": ("--report out.json --max-minutes 0.9 --no-history --data photos", 30.0),
    "two ranks": ("--scaling --ranks 2", 20.0),
    "models here": ("--list models --here", 8.0),
    "all jobs": ("--sweep", 3.0),
    "own script": ("--watch --yes --save job.json -- py train.py", 8.0),
    "window": ("", 3.0),
}
"""What is run, and after how many seconds it is done, or does nothing new."""
FILES = """
cat > own.py <<'EOF'
import torch
def build():
    return torch.nn.Sequential(torch.nn.Conv2d(3, 8, 3), torch.nn.Flatten(), torch.nn.Linear(7200, 2))
EOF
cat > train.py <<'EOF'
import sys
sys.excepthook = lambda *error: None  # what a script says of its own end is its own
import torch
network = torch.nn.Linear(10, 10)
optimizer = torch.optim.SGD(network.parameters(), lr=0.1)
for step in range(100000):
    optimizer.zero_grad()
    network(torch.randn(8, 10)).sum().backward()
    optimizer.step()
EOF
"""
PHOTOS = """
py -c "import os
from PIL import Image
os.mkdir('photos')
for i in range(20): Image.new('RGB', (640, 480), (i, 9, 9)).save(f'photos/{i}.jpg')"
"""
ENDED_BY = {"INT": 130, "TERM": 143, "HUP": 129, "KILL": 137}


@dataclass(frozen=True)
class Strike:
    """A command that is sent a signal.

    Attributes:
        command: Its name.
        signal: Which one.
        after_s: When, from the start of its first module.
        is_group: Whether all that it started in its own group gets the signal too, as a terminal sends it.
    """

    command: str
    signal: str
    after_s: float
    is_group: bool

    def __str__(self) -> str:
        whom = "all" if self.is_group else "one"
        return f"{self.command}, {self.signal} to {whom} after {self.after_s:.2f} s"


def strikes(count: int, seed: int) -> list[Strike]:
    """Return so many strikes, the same for the same seed; half of them early, while everything is being loaded."""
    chance = random.Random(seed)
    made = []
    for number in range(count):
        command = "quick check" if number % 2 == 0 else chance.choice(list(COMMANDS))
        last_s = COMMANDS[command][1]
        after_s = chance.uniform(0.0, min(1.0, last_s)) if chance.random() < 0.5 else chance.uniform(0.0, last_s)
        name = chance.choice(list(ENDED_BY))
        made.append(Strike(command, name, after_s, name != "KILL" and chance.random() < 0.5))
    return made


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="signals and processes are those of Linux")
@pytest.mark.parametrize("strike", strikes(COUNT, SEED), ids=str)
def test_nothing_is_left_of_what_is_stopped(strike: Strike, tmp_path: Path) -> None:
    """At whatever moment, by Ctrl-C, an end of the session or a kill."""
    arguments = COMMANDS[strike.command][0]
    files = FILES + PHOTOS * ("photos" in arguments)
    group = "set -m; group=-; " if strike.is_group else ""
    outcome = run_fault(
        f"export QT_QPA_PLATFORM=offscreen; {files}{group}struck {strike.signal} {strike.after_s:.3f} advisor {arguments}",
        tmp_path,
        timeout_s=120,
    )

    said = outcome.output[-4000:]
    assert outcome.status in {0, 3, ENDED_BY[strike.signal]}, said
    assert not NEVER.search(outcome.output), said
    assert outcome.left == ()
    if strike.signal != "KILL":  # whoever is killed tidies nothing up
        assert half_written(outcome.folder) == []
        left = sorted(path.name for path in (tmp_path / "tmp").iterdir())
        own = [name for name in left if not name.startswith("torchinductor_")]  # that is the watched script's torch's
        assert own == []
    for history in (tmp_path / "home").rglob("history.sqlite3"):
        with sqlite3.connect(history) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
