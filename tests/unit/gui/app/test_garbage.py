"""Garbage is collected in the painting thread alone."""

import gc
import weakref

from advisor.gui.app.application import collect_garbage


class Ring:
    """Something that only the collector can free."""

    def __init__(self) -> None:
        self.own = self


def test_what_is_due_is_collected_when_it_is_asked_for() -> None:
    """While Python itself collects nothing; what is not due stays."""
    gc.collect()
    gc.disable()
    try:
        ring = weakref.ref(Ring())
        collect_garbage()
        assert ring() is not None
        kept = [Ring() for _number in range(2 * gc.get_threshold()[0])]
        collect_garbage()
        assert ring() is None
        assert kept
    finally:
        gc.enable()
