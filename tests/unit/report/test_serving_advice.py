"""The page of how to run a language model."""

import datetime

import jsonschema
import msgspec
import pytest

from advisor import wire
from advisor.catalog.language.jobs import find_serving_job
from advisor.locale import language
from advisor.records.job.serving_advice import ServingAdvice
from advisor.records.job.workload import Circumstances
from advisor.report.serving_advice import render_serving, shown_options
from advisor.session.serving import advise_serving
from tests.unit.options.test_own_devices import MACHINE

NOON = datetime.datetime(2026, 11, 23, 12, tzinfo=datetime.UTC)


def advice(name: str = "chat_5_users", **changes: object) -> ServingAdvice:
    """Return the advice for a ready-made job on a computer without a card."""
    preset = find_serving_job(name)
    question = msgspec.structs.replace(preset.question, **changes)
    return advise_serving(question, Circumstances(), MACHINE, NOON)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("en", ("buy GeForce", "tokens a second", "a month", "for a computer around it", "cheapest machine to rent")),
        ("es", ("compra GeForce", "tokens por segundo", "al mes", "para un equipo", "máquina de alquiler")),
    ],
)
def test_a_purchase_says_speed_money_and_the_other_way(code: str, said: tuple[str, ...]) -> None:
    """In both languages."""
    text = " ".join(render_serving(advice(), "text", language(code)).decode().split())
    assert [one for one in said if one not in text] == []


def test_what_nothing_runs_says_what_to_ask_for() -> None:
    """With why not here."""
    text = render_serving(advice(least_tokens_per_s=1e5), "text", language("en")).decode()
    assert "Nothing that is known here runs Llama 3.1 8B" in text
    assert "fewer users" in text


def test_what_only_the_limits_bar_is_named() -> None:
    """The cheapest beyond the budget, and what would do elsewhere."""
    preset = find_serving_job("chat_5_users")
    limits = Circumstances(budget_usd=1.0, data_must_stay=True)
    text = render_serving(advise_serving(preset.question, limits, MACHINE, NOON), "text", language("en")).decode()
    said = " ".join(text.split())
    assert "would do, but costs more than your budget" in said
    assert "would do, if the data might leave" in said
    assert "fewer users" not in said


@pytest.mark.parametrize(("form", "sign"), [("html", "<table"), ("md", "| ")])
def test_it_is_made_in_every_format(form: str, sign: str) -> None:
    """With its table."""
    assert sign in render_serving(advice(), form, language("en")).decode()


def test_json_is_valid_and_comes_back() -> None:
    """By its schema."""
    found = advice()
    content = render_serving(found, "json", language("en"))
    jsonschema.validate(msgspec.json.decode(content), wire.serving_schema())
    assert wire.decode_serving(content) == found


def test_the_table_has_each_tier_and_the_answer() -> None:
    """Few of each."""
    found = advice("document_summaries")
    shown = shown_options(found)
    assert {one.tier for one in shown} >= {"this_computer", "single_gpu", "cloud"}
    assert found.chosen in {one.id for one in shown}
    assert len(shown) < 16
