"""Strangers ask; the answer is what was worked out by hand, and its page says what it must and nothing else."""

import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from advisor.catalog import find_workload
from advisor.locale import language
from advisor.records.job.workload import Circumstances
from advisor.records.request import Observation
from advisor.records.results.report import Report
from advisor.report.formats.text import text_report
from advisor.session.forecast import conclude
from advisor.session.single_prediction import applied_settings
from advisor.units import HOUR_S
from tests.end_to_end.askers import chosen, machine_of

STRANGERS: list[dict[str, Any]] = tomllib.loads(
    (Path(__file__).parent.parent / "data" / "personas" / "strangers.toml").read_text(encoding="utf-8")
)["persona"]


def answer_to(stranger: dict[str, Any]) -> Report:
    """Return the report for a stranger, from specifications alone."""
    asked = dict(stranger.get("asked", {"workload": stranger.get("preset")}))
    name = asked.pop("workload")
    workload = find_workload(name).workload
    if asked.get("task") == "infer":
        asked = {"epochs": 1.0, **applied_settings(name, workload), **asked}
    if "samples" in asked:
        asked["steps_per_epoch"] = None
    if "epochs" in asked:
        asked["epochs_are_default"] = False
    workload = msgspec.structs.replace(workload, **asked)
    circumstances = msgspec.convert(stranger["circumstances"], Circumstances)
    return conclude(Observation(machine=machine_of(stranger["machine"])), workload, circumstances)


@pytest.fixture(scope="module", params=STRANGERS, ids=[row["name"].replace(" ", "-") for row in STRANGERS])
def asked(request: pytest.FixtureRequest) -> tuple[dict[str, Any], Report]:
    """A stranger and the answer."""
    return request.param, answer_to(request.param)


def test_the_answer_lies_where_the_hand_put_it(asked: tuple[dict[str, Any], Report]) -> None:
    """Tier, hours of a run, money over the horizon, price and number of cards."""
    stranger, report = asked
    assert report.advice.tier in stranger["tiers"], report.advice.chosen
    option = chosen(report)
    for key, value, unit in (
        ("_h", option.run_s, HOUR_S),
        ("_usd", option.horizon_usd, 1.0),
        ("_price_usd", option.purchase_usd, 1.0),
    ):
        least = stranger.get(f"{'shortest' if key == '_h' else 'least'}{key}")
        most = stranger.get(f"{'longest' if key == '_h' else 'dearest'}{key}")
        assert least is None or (value or 0.0) >= least * unit, (key, value, report.advice.chosen)
        assert most is None or (value or 0.0) <= most * unit, (key, value, report.advice.chosen)
    assert option.device_count == stranger.get("cards", option.device_count)


def test_the_page_says_what_it_must(asked: tuple[dict[str, Any], Report]) -> None:
    """Sentences that belong there, and none that was once there and false."""
    stranger, report = asked
    page = " ".join(text_report(report, language("en"), width=200).split()).replace("\N{NO-BREAK SPACE}", " ")
    for sentence in stranger.get("says", ()):
        assert sentence in page
    for sentence in stranger.get("unsaid", ()):
        assert sentence not in page
