"""Let a sleeping card sleep: read its power state without touching it, and leave an idle one alone at times."""

from pathlib import Path
from types import SimpleNamespace

from advisor.monitor.card_sleep import IDLE_BEFORE_REST_S, LONGEST_REST_S
from tests.unit.monitor.computers.fakes import nvidia_card, nvidia_tree, write
from tests.unit.monitor.computers.nvidia_files import make


def test_an_idle_laptop_card_is_let_go_and_looked_at_again(tmp_path: Path) -> None:
    """After a while without work the driver is closed, stays closed while the card sleeps, and opens when it wakes."""
    nvidia_tree(tmp_path, control="auto")
    source, library = make(tmp_path, nvidia_card(UtilizationRates=SimpleNamespace(gpu=0)))
    source.sample(0.0, may_rest=True)
    source.sample(IDLE_BEFORE_REST_S, may_rest=True)
    assert not library.is_open

    write(tmp_path, "sys/bus/pci/devices/0000:01:00.0/power/runtime_status", "suspended")
    for second in range(200):
        source.sample(IDLE_BEFORE_REST_S + 1 + second, may_rest=True)
    assert library.opened == 1

    write(tmp_path, "sys/bus/pci/devices/0000:01:00.0/power/runtime_status", "active")
    (reading,) = source.sample(IDLE_BEFORE_REST_S + 300, may_rest=True)
    assert library.is_open
    assert not reading.sample.is_asleep


def test_a_card_kept_awake_by_others_is_looked_at_again(tmp_path: Path) -> None:
    """When an idle card does not fall asleep, the monitor comes back."""
    nvidia_tree(tmp_path, control="auto")
    source, library = make(tmp_path, nvidia_card(UtilizationRates=SimpleNamespace(gpu=0)))
    source.sample(0.0, may_rest=True)
    source.sample(IDLE_BEFORE_REST_S, may_rest=True)
    (resting,) = source.sample(IDLE_BEFORE_REST_S + 1, may_rest=True)
    (back,) = source.sample(IDLE_BEFORE_REST_S + LONGEST_REST_S + 1, may_rest=True)

    assert resting.sample.is_asleep
    assert not back.sample.is_asleep
    assert library.opened == 2


def test_a_card_that_may_not_sleep_is_never_let_go(tmp_path: Path) -> None:
    """A desktop card that cannot power down is read all the time."""
    nvidia_tree(tmp_path, control="on")
    source, library = make(tmp_path, nvidia_card(UtilizationRates=SimpleNamespace(gpu=0)))

    for second in range(100):
        source.sample(float(second), may_rest=True)

    assert (library.opened, library.is_open) == (1, True)


def test_while_measuring_the_card_is_watched(tmp_path: Path) -> None:
    """With ``may_rest`` off an idle laptop card is read all the same."""
    nvidia_tree(tmp_path, control="auto")
    source, library = make(tmp_path, nvidia_card(UtilizationRates=SimpleNamespace(gpu=0)))

    for second in range(100):
        source.sample(float(second), may_rest=False)

    assert (library.opened, library.is_open) == (1, True)
