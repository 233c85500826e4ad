"""The case that measures how fast a small language model writes on the processor. Pure."""

from advisor.records.results.measured.measurement import DECODE_PROGRAM, Case

_BUDGET_S = 6.0
_NEEDED_BYTES = 2e9
"""Twice the weights of its decoders in fp32."""


def decode_case(threads: int | None = None) -> Case:
    """Return the case; it takes some seconds.

    Args:
        threads: Of torch; None leaves it to torch.
    """
    return Case(
        id=f"{DECODE_PROGRAM}/fp32/cpu",
        program=DECODE_PROGRAM,
        threads=threads,
        budget_s=_BUDGET_S,
        timeout_s=60.0 + 10 * _BUDGET_S,
        options={"needs_bytes": _NEEDED_BYTES},
    )
