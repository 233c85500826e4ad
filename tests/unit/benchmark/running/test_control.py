"""Steering a running suite."""

from advisor.benchmark.running.control import Control


def test_nothing_is_asked_at_first() -> None:
    """A fresh control lets everything run."""
    control = Control()

    assert (control.is_cancelled, control.is_paused, control.consume_skip()) == (False, False, False)


def test_a_skip_is_taken_once() -> None:
    """However often it was asked before it is seen, one case is skipped."""
    control = Control()
    control.skip()
    control.skip()

    assert [control.consume_skip(), control.consume_skip()] == [True, False]


def test_pause_and_resume() -> None:
    """A pause lasts until it is lifted."""
    control = Control()
    control.pause()
    assert control.is_paused
    control.resume()

    assert not control.is_paused


def test_cancel_lifts_a_pause() -> None:
    """A paused suite that is cancelled ends instead of waiting for ever."""
    control = Control()
    control.pause()
    control.cancel()

    assert control.is_cancelled
    assert not control.is_paused
