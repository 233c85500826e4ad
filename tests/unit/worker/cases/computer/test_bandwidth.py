"""How fast memory is read and written, by two of the loops of the STREAM benchmark."""

import pytest

from advisor.worker.failure import NotSupportedError
from tests.unit.worker.cases.runs import run

pytestmark = pytest.mark.torch


@pytest.mark.parametrize(("loop", "arrays"), [("copy", 2), ("triad", 3)])
def test_bandwidth_counts_what_the_loop_moves(loop: str, arrays: int) -> None:
    """The rate is the bytes of all arrays over the median time."""
    import statistics

    result = run("bandwidth", size=1000, options={"loop": loop})

    moved_bytes = result.details["bytes_per_s"] * statistics.median(result.samples_s)
    assert moved_bytes == pytest.approx(arrays * 1000 * 4)


def test_unknown_loop_is_refused() -> None:
    """A loop nobody wrote is said so."""
    with pytest.raises(NotSupportedError, match="'scale'"):
        run("bandwidth", size=10, options={"loop": "scale"})
