"""What a source of samples looks like, and how it says that a value is missing."""

from pathlib import Path

from advisor.monitor.host import SystemSource
from advisor.monitor.monitor import Monitor
from advisor.monitor.processes import CardUser
from advisor.monitor.source import AcceleratorReading, Files
from tests.unit.monitor.computers.cards_in_use import make, on_card
from tests.unit.monitor.computers.fakes import FakeSystem, nvidia_card, nvidia_tree


def test_users_are_no_part_of_a_sample(tmp_path: Path) -> None:
    """Names are asked for on request only, and stand beside the samples, never in them."""
    nvidia_tree(tmp_path)
    source, _library, _processes = make(tmp_path, nvidia_card(ComputeRunningProcesses=[on_card(11)]))
    monitor = Monitor(SystemSource(FakeSystem(), Files(tmp_path), is_linux=True), (source,))
    monitor.sample()
    assert [user.name for user in monitor.users] == []

    monitor.asks_users = True
    sample = monitor.sample()
    assert [user.name for user in monitor.users] == ["program11"]
    assert "program11" not in repr(sample)


class Broken:
    """A source that fails in a way nobody foresaw."""

    def sample(self, now_s: float, *, may_rest: bool) -> tuple[AcceleratorReading, ...]:
        """Fail."""
        raise OverflowError("int too large")

    def users(self) -> tuple[CardUser, ...]:
        """Never asked."""
        raise AssertionError

    def close(self) -> None:
        """Let go."""


def test_a_source_that_fails_does_not_stop_the_others(tmp_path: Path) -> None:
    """The processor's sensors go on, and the reason is a gap."""
    nvidia_tree(tmp_path)
    source, _library, _processes = make(tmp_path, nvidia_card())
    monitor = Monitor(SystemSource(FakeSystem(), Files(tmp_path), is_linux=True), (Broken(), source))
    monitor.asks_users = True

    sample = monitor.sample()

    assert ("accelerators", "OverflowError") in {(gap.field, gap.detail) for gap in sample.gaps}
    assert len(sample.accelerators) == 1
    assert sample.host.memory_total_bytes is not None
