"""The private channel: what is printed goes to standard error, what is answered arrives."""

import subprocess
import sys

from advisor.records.channel import Bye, Stop
from advisor.wire import encode_line
from advisor.worker.channel import EXIT_BAD_COMMAND, EXIT_PARENT_GONE

SPEAK = """
import os, sys
from advisor.worker.channel import Inbox, Outbox, claim_standard_streams
from advisor.records.channel import Bye
commands, results = claim_standard_streams()
print("from Python", flush=True)
os.system("echo from a child")
os.write(1, b"from the descriptor\\n")
assert sys.stdin.read() == "", "nobody else may read the commands"
inbox = Inbox(commands)
inbox.next_command()
Outbox(results).send(Bye())
"""


def start(program: str) -> subprocess.Popen[bytes]:
    """Start a program whose streams are pipes."""
    return subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def run(program: str, commands: bytes) -> subprocess.CompletedProcess[bytes]:
    """Run a program with these commands and nothing after them."""
    return subprocess.run([sys.executable, "-c", program], input=commands, capture_output=True, check=False)


def test_only_answers_reach_the_channel() -> None:
    """Prints of Python, of children and of C land on standard error; the answer stands alone."""
    with start(SPEAK) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(encode_line(Stop()))
        process.stdin.flush()
        answered, printed = process.stdout.read(), process.stderr.read()

    assert answered == encode_line(Bye())
    assert printed.split() == b"from Python from a child from the descriptor".split()


def test_the_end_of_the_commands_ends_the_process() -> None:
    """Without a parent there is nobody to measure for."""
    done = run(SPEAK, b"")

    assert (done.returncode, done.stdout) == (EXIT_PARENT_GONE, b"")


def test_a_command_that_is_no_record_ends_the_process() -> None:
    """Whoever speaks otherwise is not this program."""
    done = run(SPEAK, b'{"type":"stop","now":true}\n')

    assert (done.returncode, done.stdout) == (EXIT_BAD_COMMAND, b"")
    assert b"Not a valid line" in done.stderr
