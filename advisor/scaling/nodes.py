"""Which computers take part: of the command line or a file; how a worker is started there."""

import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path

from advisor.errors import InputError
from advisor.records.base import Record
from advisor.resource import program_command
from advisor.wire import read_limited

SSH = "ssh -o BatchMode=yes -o ConnectTimeout=8 -o ServerAliveInterval=5 -o ServerAliveCountMax=3 {address} {command}"
SRUN = "srun --nodes=1 --ntasks=1 --overlap --unbuffered --nodelist={name} {command}"
MOST_NODES = 512


class Node(Record, frozen=True, kw_only=True):
    """A computer that takes part.

    Attributes:
        name: What it is called where it is started; for Slurm the name of the node.
        address: Where the others reach it.
        label: What the report calls it; empty: by its place.
    """

    name: str
    address: str
    label: str = ""


def nodes_from_text(text: str) -> tuple[Node, ...]:
    """Return the computers of ``a,b`` or ``rack-1=a,rack-2=b``, whose labels the report then uses.

    Raises:
        InputError: There is none, or one stands there twice.
    """
    return checked([_node(part.strip()) for part in text.split(",") if part.strip()])


def nodes_from_file(path: Path) -> tuple[Node, ...]:
    """Return the computers of a file, one a line as in ``nodes_from_text``; ``#`` begins a remark.

    What follows a name after a space, such as ``slots=4`` of MPI, is passed over.

    Raises:
        InputError: It cannot be read, or names no computer.
    """
    lines = [line.partition("#")[0].split() for line in read_limited(path).decode("utf-8", "replace").splitlines()]
    return checked([_node(words[0]) for words in lines if words])


def _node(text: str) -> Node:
    label, sign, address = text.rpartition("=")
    if not address or (sign and not label) or address.startswith("-"):
        raise _no_computer(text)
    return Node(name=label or address, address=address, label=label)


def _no_computer(text: str) -> InputError:
    return InputError("'{text}' is not a computer; write its address, or label=address.", text=text)


def checked(nodes: Sequence[Node]) -> tuple[Node, ...]:
    """Return computers, each of them once.

    Raises:
        InputError: There is none, too many, one stands there twice, or has no name that could be written.
    """
    if not nodes:
        raise InputError("No computer is named.")
    if len(nodes) > MOST_NODES:
        raise InputError(
            "{count} computers are named; at most {most} can be measured.", count=len(nodes), most=MOST_NODES
        )
    for written in (f"{node.label}={node.address}" if node.label else node.address for node in nodes):
        if not written.isprintable():
            raise _no_computer(written)
    names = [node.name for node in nodes]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError("'{name}' is named twice.", name=twice)
    return tuple(nodes)


def launch_command(template: str | None, node: Node) -> tuple[str, ...]:
    """Return the command that starts a worker on a computer; without a template on this one.

    Args:
        template: With {name}, {address} and {command}; where it has no {command}, that is written out in it.
        node: The computer.
    """
    worker = program_command("--worker")
    if template is None:
        return worker
    words: list[str] = []
    is_ssh = template.split()[0].rsplit("/", 1)[-1] == "ssh"
    for word in shlex.split(template):
        if word == "{command}":
            words += [shlex.join(worker)] if is_ssh else worker
        else:
            words.append(word.replace("{name}", node.name).replace("{address}", node.address))
    return tuple(words)


def check_template(template: str) -> None:
    """Refuse a template that names no computer, or a program that is not here.

    Raises:
        InputError: Either is so.
    """
    try:
        words = shlex.split(template)
    except ValueError as error:
        raise InputError("--launch has an open quotation mark.") from error
    if not words or not any(sign in template for sign in ("{name}", "{address}")):
        raise InputError(
            "--launch says how a command is run on a computer, such as: {example}", example="ssh {address} {command}"
        )
    if shutil.which(words[0]) is None:
        raise InputError("--launch names {program}, which is not here.", program=words[0])
