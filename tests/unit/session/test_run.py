"""A session's order: what cannot be answered is said before anything is measured."""

import msgspec
import pytest

from advisor.errors import CatalogError, InputError
from advisor.records.events import Event, StepStarted
from advisor.records.hardware.machine import Machine
from advisor.records.job.workload import Circumstances
from advisor.records.request import Request
from advisor.session import run
from advisor.session.run import observe, run_session
from advisor.units import GIB
from tests.unit.benchmark.diagnosed import machine
from tests.unit.predict.examples import workload


def test_a_question_that_cannot_be_answered_costs_no_measurement(monkeypatch: pytest.MonkeyPatch) -> None:
    """A damaged catalogue shows after the look at the computer, before minutes of measuring that would be lost."""
    damage = CatalogError("The fitted constants cannot be read.")

    def damaged(*_arguments: object) -> None:
        raise damage

    monkeypatch.setattr(run, "forecast_job", damaged)
    heard: list[Event] = []
    with pytest.raises(CatalogError) as raised:
        run_session(Request(workload=workload()), heard.append)
    assert raised.value is damage
    assert [event.step for event in heard if isinstance(event, StepStarted)] == ["probe"]


def test_an_unknown_price_of_electricity_costs_no_measurement(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is said after the look at the computer, before anything is measured."""

    def measured(*_arguments: object) -> None:
        raise AssertionError

    monkeypatch.setattr(run, "measure", measured)
    heard: list[Event] = []
    with pytest.raises(InputError, match="electricity"):
        run_session(Request(workload=workload(), circumstances=Circumstances(country="GQ")), heard.append)
    assert [event.step for event in heard if isinstance(event, StepStarted)] == ["probe"]


def test_a_card_set_by_hand_counts_for_a_recorded_computer() -> None:
    """Like for this one: the same question of a computer measured elsewhere, with a card it does not have."""
    request = Request(workload=workload(), recorded=machine(), overrides=("RTX 4090",))
    found = observe(request, lambda _event: None)
    assert [card.name for card in found.machine.accelerators] == ["RTX 4090"]
    assert found.is_simulated
    bare = observe(msgspec.structs.replace(request, overrides=()), lambda _event: None)
    assert bare.machine == machine()


@pytest.mark.parametrize("text", ["RTX 9999:9GB", "3=RTX 4090"])
def test_a_wrong_card_for_a_recorded_computer_is_refused(text: str) -> None:
    """One nobody knows, or a correction of one that is not there."""
    with pytest.raises(InputError):
        observe(Request(workload=workload(), recorded=machine(), overrides=(text,)), lambda _event: None)


def test_a_card_named_without_its_memory_has_what_the_catalogue_says() -> None:
    """Nobody is asked for what every card of that name has; what the user says counts more."""

    def said(text: str) -> Machine:
        return observe(Request(workload=workload(), recorded=machine(), overrides=(text,)), lambda _event: None).machine

    found = said("RTX 3060")
    assert found.accelerators[0].memory_bytes == 12 * GIB
    assert not [gap for gap in found.gaps if gap.field == "accelerators.0.memory_bytes"]
    notes = {note.field: note.how for note in found.evidence}
    assert notes["accelerators.0.memory_bytes"] == "catalogue of devices"
    assert said("RTX 3060:8GB").accelerators[0].memory_bytes == 8 * GIB
