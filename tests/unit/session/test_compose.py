"""A session's order: what cannot be answered is said before anything is measured."""

import pytest

from advisor.errors import CatalogError
from advisor.records.events import Event, StepStarted
from advisor.session import Request, compose, run_session
from tests.unit.predict.examples import workload


def test_a_question_that_cannot_be_answered_costs_no_measurement(monkeypatch: pytest.MonkeyPatch) -> None:
    """A damaged catalogue shows after the look at the computer, before minutes of measuring that would be lost."""
    damage = CatalogError("The fitted constants cannot be read.")

    def damaged(*_arguments: object) -> None:
        raise damage

    monkeypatch.setattr(compose, "foresee", damaged)
    heard: list[Event] = []
    with pytest.raises(CatalogError) as raised:
        run_session(Request(workload=workload()), heard.append)
    assert raised.value is damage
    assert [event.step for event in heard if isinstance(event, StepStarted)] == ["probe"]
