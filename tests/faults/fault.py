"""One row of a table of faults."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """Something that breaks, and what the program must make of it.

    Attributes:
        name: What is broken.
        script: How, as a line of shell whose status is the program's; its words are in ``harness.PRELUDE``.
        status: What the program may end with.
        says: Must be in what it prints.
        leaves: A file that must be there, whole.
        timeout_s: The program must have ended by then, also on a busy computer.
        is_quick: Whether ``make test`` tries it too.
    """

    name: str
    script: str
    status: tuple[int, ...] = (0,)
    says: str = ""
    leaves: str = ""
    timeout_s: float = 90.0
    is_quick: bool = False
