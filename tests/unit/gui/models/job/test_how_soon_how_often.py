"""Any deadline and frequency is among the choices."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.gui.models.job.how_soon_how_often import deadline_choices, frequency_choices, index_of
from advisor.locale import language

EN = language("en")


@given(st.floats(min_value=1.0, max_value=1e9))
def test_any_deadline_is_among_the_choices(deadline_s: float) -> None:
    """Whatever deadline a job comes with, the list shows it as chosen, and stays in order."""
    choices = deadline_choices(deadline_s, EN)
    chosen = choices[index_of(choices, deadline_s)]
    values = [math.inf if choice.value is None else choice.value for choice in choices]

    assert chosen.value == pytest.approx(deadline_s, rel=0.01)
    assert values == sorted(values)


@given(st.floats(min_value=0.001, max_value=1e5), st.floats(min_value=1.0, max_value=240.0))
def test_any_frequency_is_among_the_choices(runs: float, months: float) -> None:
    """Whatever frequency a job comes with, the list shows it as chosen."""
    choices = frequency_choices(runs, months, EN)

    assert choices[index_of(choices, runs)].value == pytest.approx(runs, rel=0.011)


def test_no_deadline_is_a_choice_too() -> None:
    """A job without deadline is not given one."""
    choices = deadline_choices(None, EN)

    assert choices[index_of(choices, None)].value is None
