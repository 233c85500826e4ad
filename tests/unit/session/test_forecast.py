"""What was foreseen once is decided for any circumstances, as if all had been asked again."""

import msgspec
import pytest

from advisor.catalog import find_workload, network
from advisor.errors import UnknownNameError
from advisor.locale import LANGUAGES
from advisor.records.job.workload import Circumstances
from advisor.records.request import Observation
from advisor.records.results.report import Report
from advisor.session.forecast import conclude, decide, forecast_job
from advisor.units import DAY_S, HOUR_S
from tests.unit.benchmark.diagnosed import CARD, machine

OBSERVATION = Observation(machine=machine(CARD))
JOB = find_workload("densenet121_cats_dogs").workload
QUESTIONS = [
    Circumstances(),
    Circumstances(deadline_s=2 * HOUR_S),
    Circumstances(budget_usd=300.0, runs_per_month=30.0, horizon_months=36.0),
    Circumstances(data_must_stay=True, country="ES", currency="EUR", deadline_s=DAY_S),
]


def undated(report: Report) -> Report:
    """Return the report without its time."""
    return msgspec.structs.replace(report, created_at="")


def test_one_foresight_answers_every_question() -> None:
    """The same report, whether the job was foreseen for it or before."""
    forecast = forecast_job(OBSERVATION, JOB)
    for circumstances in QUESTIONS:
        assert undated(decide(forecast, circumstances)) == undated(conclude(OBSERVATION, JOB, circumstances))


def test_deciding_leaves_the_foresight_as_it_was() -> None:
    """The first question, asked again after others, has the same answer."""
    forecast = forecast_job(OBSERVATION, JOB)
    before = undated(decide(forecast, QUESTIONS[0]))
    for circumstances in QUESTIONS[1:]:
        assert undated(decide(forecast, circumstances)) != before
    assert undated(decide(forecast, QUESTIONS[0])) == before


def test_every_option_has_a_place() -> None:
    """Candidates and predictions go together; most options can be predicted."""
    forecast = forecast_job(OBSERVATION, JOB)
    assert len(forecast.candidates) == len(forecast.predictions) > 500
    known = [one for one in forecast.predictions if one is not None]
    assert len(known) > 0.9 * len(forecast.predictions)
    assert len({candidate.id for candidate in forecast.candidates}) == len(forecast.candidates)


def test_a_network_of_no_catalogue_can_be_brought_along() -> None:
    """Its work stands for the name; without it the name is unknown."""
    own = msgspec.structs.replace(JOB, network="model.py:build", image_size=None)
    with pytest.raises(UnknownNameError):
        forecast_job(OBSERVATION, own)
    found = forecast_job(OBSERVATION, own, network("densenet121", image_size=JOB.image_size))
    expected = forecast_job(OBSERVATION, JOB)
    assert [one and one.time_per_step_s for one in found.predictions] == [
        one and one.time_per_step_s for one in expected.predictions
    ]


def test_the_persons_own_rate_of_exchange_counts() -> None:
    """And then the table's date is not shown."""
    forecast = forecast_job(OBSERVATION, JOB)
    own = decide(forecast, Circumstances(currency="EUR", units_per_usd=0.5))
    usual = decide(forecast, Circumstances(currency="EUR"))
    assert own.currency_per_usd == 0.5
    assert "rates" not in own.prices_as_of
    assert "rates" in usual.prices_as_of


@pytest.mark.parametrize(
    ("changes", "is_told"),
    [
        ({}, True),
        ({"batch_size": 8, "precision": "amp"}, True),
        ({"samples": 9_000_000}, False),
        ({"epochs": 5}, False),
    ],
)
def test_a_ready_made_job_with_other_numbers_is_called_by_its_network(
    changes: dict[str, object], is_told: bool
) -> None:
    """Its title would tell the old ones: a table of 50,000 rows with 9 million."""
    preset = find_workload("classical_ml")
    job = msgspec.structs.replace(preset.workload, **changes)
    called = conclude(OBSERVATION, job, Circumstances()).titles
    assert called == (preset.titles if is_told else dict.fromkeys(LANGUAGES, "gradient_boosting"))
