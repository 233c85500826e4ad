"""The line through messages, and a step over it."""

import pytest

from advisor.predict.link_fit import BUCKET_BYTES, exchange_over, fit_link, hidden_share, step_over
from advisor.records.results.scaling import ScalingLink


def test_a_line_is_found_again() -> None:
    """1 ms and 1 Gbit/s of what each of four sends, which is 1.5 times the message."""
    rate = 125e6
    points = [(size, 1e-3 + 1.5 * size / rate) for size in (4096, 2**20, 2**24)]
    link = fit_link(points, 4)
    assert link is not None
    assert (link.latency_s, link.bytes_per_s, link.fit_ratio) == pytest.approx((1e-3, rate, 1.0))


def test_one_size_gives_no_line() -> None:
    """Latency and rate are two unknowns."""
    assert fit_link([(4096, 1e-3), (4096, 2e-3)], 2) is None


def test_a_link_without_latency_is_not_given_a_negative_one() -> None:
    """Where large messages are relatively slower, the longest tells the rate."""
    link = fit_link([(1e3, 1e-6), (1e6, 0.01), (1e7, 0.5)], 2)
    assert link is not None
    assert (link.latency_s, link.bytes_per_s) == (0.0, pytest.approx(2e7))


def test_gradients_travel_in_parts() -> None:
    """Each part costs one latency; two workers send the whole once."""
    link = ScalingLink(latency_s=0.1, bytes_per_s=BUCKET_BYTES, fit_ratio=1.0)
    assert exchange_over(link, 2.5 * BUCKET_BYTES, 2) == pytest.approx(3 * 0.1 + 2.5)


@pytest.mark.parametrize(("together_s", "share"), [(2.0, 0.0), (1.5, 0.5), (1.0, 1.0), (0.9, 1.0), (3.0, 0.0)])
def test_what_is_hidden_lies_between_none_and_all(together_s: float, share: float) -> None:
    """Noise neither hides more than all nor less than nothing."""
    assert hidden_share(1.0, together_s, 1.0) == pytest.approx(share)


def test_computing_hides_no_more_than_it_takes() -> None:
    """An exchange longer than the computing shows for its rest."""
    link = ScalingLink(latency_s=0.0, bytes_per_s=1e6, fit_ratio=1.0)
    assert step_over(link, 1.0, 3e6, 2, 0.5) == pytest.approx(1.0 + 3.0 - 0.5)
