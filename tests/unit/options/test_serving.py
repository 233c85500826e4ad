"""Every way to run a language model for people."""

import datetime

import msgspec
import pytest

from advisor.catalog.language import find_format, find_model
from advisor.locale import language
from advisor.options.candidates import list_candidates
from advisor.options.own_devices import cpu_device
from advisor.options.serving import Asked, chosen_option, serving_options, speed_obstacles
from advisor.predict.serving import Host
from advisor.records.hardware.machine import Machine
from advisor.records.job.serving import ServingJob
from advisor.records.job.serving_advice import ServingOption, ServingQuestion, usual_wait_s
from advisor.records.job.workload import Circumstances
from advisor.report.documents.serving_here import pace_phrase
from advisor.units import GIB
from tests.unit.options.test_own_devices import MACHINE
from tests.unit.session.test_serving import CARD

TODAY = datetime.date(2026, 11, 23)
ORDINARY = Circumstances()
QUESTION = ServingQuestion(model="llama3.1_8b", job=ServingJob(users=5, prompt_tokens=1300, new_tokens=270))


def options(
    question: ServingQuestion = QUESTION, *, circumstances: Circumstances = ORDINARY, machine: Machine = MACHINE
) -> tuple[ServingOption, ...]:
    """Return the options for a question."""
    asked = Asked(question, find_model(question.model), find_format(question.job.weights), circumstances)
    return serving_options(list_candidates(machine, TODAY), asked, Host(cpu_device(machine), 14 * GIB))


def test_what_stands_ready_is_bought_and_what_computes_now_and_then_is_rented() -> None:
    """The same answers, in 160 hours a month or only while they are written."""
    ready = chosen_option(options())
    batch = chosen_option(options(msgspec.structs.replace(QUESTION, hours_per_month=0.0)))
    assert ready is not None
    assert batch is not None
    assert (ready.tier, batch.tier) == ("single_gpu", "cloud")
    assert ready.break_even_months is not None
    assert ready.paid_hours == 160
    assert batch.paid_hours < 5


def test_a_card_that_is_here_is_the_answer() -> None:
    """It costs its electricity alone."""
    found = chosen_option(options(machine=msgspec.structs.replace(MACHINE, accelerators=(CARD,))))
    assert found is not None
    assert found.tier == "this_computer"
    assert 0 < (found.month_usd or 0) < 10


@pytest.mark.parametrize("users", [1, 5])
def test_what_is_well_known_comes_before_what_is_rough(users: int) -> None:
    """Though the latter may be cheaper; four cards in an ordinary computer likewise."""
    question = msgspec.structs.replace(QUESTION, job=msgspec.structs.replace(QUESTION.job, users=users))
    does = [one for one in options(question) if one.obstacle is None and one.tier != "this_computer"]
    doubtful = [
        "Arc" in one.title or "GB10" in one.title or (one.device_count > 2 and one.host_usd > 0) for one in does
    ]
    assert doubtful == sorted(doubtful)
    assert any(doubtful)


@pytest.mark.parametrize(
    ("changes", "circumstances", "obstacle"),
    [
        ({}, Circumstances(data_must_stay=True), "data_must_stay"),
        ({"model": "deepseek_v3"}, Circumstances(), "does_not_fit"),
        ({"least_tokens_per_s": 1e5}, Circumstances(), "too_slow"),
        ({"longest_wait_s": 0.001}, Circumstances(), "waits_too_long"),
        ({"answers_per_month": 1e9}, Circumstances(), "too_little_time"),
        ({}, Circumstances(budget_usd=0.0), "budget"),
    ],
)
def test_what_stands_in_the_way_is_named(
    changes: dict[str, object], circumstances: Circumstances, obstacle: str
) -> None:
    """Each by its own name."""
    found = options(msgspec.structs.replace(QUESTION, **changes), circumstances=circumstances)
    assert obstacle in {one.obstacle for one in found}


def test_speed_counts_by_its_slow_end() -> None:
    """Of two predictions of one speed the wider does not do."""
    prediction = next(one.prediction for one in options() if one.obstacle is None)
    slow = msgspec.structs.replace(prediction.decode_interval, low=3.0)
    assert not speed_obstacles(prediction, QUESTION)
    wide = msgspec.structs.replace(prediction, decode_interval=slow)
    assert speed_obstacles(wide, QUESTION) == ("too_slow",)
    assert not speed_obstacles(wide, QUESTION, is_here=True), "to try what is here costs nothing"


def test_what_is_called_as_fast_as_people_read_need_not_be_bought() -> None:
    """The list of models said "about as fast as you read", and the answer "buy"; who names a speed is given that."""
    prediction = next(one.prediction for one in options() if one.obstacle is None)
    nearly = msgspec.structs.replace(prediction, decode_tokens_per_s=4.6)
    assert not speed_obstacles(nearly, QUESTION, is_here=True)
    named = msgspec.structs.replace(QUESTION, least_tokens_per_s=5.0)
    assert speed_obstacles(nearly, named, is_here=True) == ("too_slow",)


def test_nobody_waits_for_what_is_done_at_night() -> None:
    """Zero switches both conditions off."""
    question = msgspec.structs.replace(QUESTION, least_tokens_per_s=0.0, longest_wait_s=0.0)
    assert not {"too_slow", "waits_too_long"} & {one.obstacle for one in options(question)}


def test_what_may_be_too_small_is_not_bought() -> None:
    """A card whose memory ends within the error of the estimate; on a computer that is there it can be tried."""
    for one in options():
        memory = one.prediction.memory
        if one.tier != "this_computer" and one.obstacle is None and memory.available_bytes is not None:
            assert memory.interval.high <= memory.available_bytes, one.title
    assert any(one.obstacle == "hardly_fits" for one in options(_users(10)))


def test_more_of_ones_own_cards_are_taken_where_fewer_are_full_to_the_brim() -> None:
    """DeepSeek-V3 takes 384 of the 384 GB of two MI300X; three of four that are there hold it surely."""
    card = msgspec.structs.replace(
        CARD, vendor="amd", name="AMD Instinct MI300X", memory_bytes=192 * GIB, kind="datacenter"
    )
    cards = tuple(msgspec.structs.replace(card, index=place) for place in range(4))
    machine = msgspec.structs.replace(MACHINE, accelerators=cards)
    question = ServingQuestion(model="deepseek_v3", job=ServingJob(users=20))
    found = chosen_option(options(question, machine=machine))
    assert found is not None
    assert (found.tier, found.device_count) == ("this_computer", 3)


def _users(count: int) -> ServingQuestion:
    return msgspec.structs.replace(QUESTION, job=ServingJob(users=count, prompt_tokens=512, new_tokens=256))


def test_a_card_of_ones_own_goes_before_the_processor_where_a_little_is_left_beside_it() -> None:
    """The processor was the answer at a seventh of the speed and four times the electricity of the card beside it."""
    job = ServingJob(users=4, prompt_tokens=6_000, new_tokens=330, context=6_400)
    question = ServingQuestion(
        model="qwen2.5_14b", job=job, hours_per_month=0.0, least_tokens_per_s=0.0, longest_wait_s=0.0
    )
    card = msgspec.structs.replace(CARD, name="GeForce RTX 3060", memory_bytes=12 * GIB)
    found = options(question, machine=msgspec.structs.replace(MACHINE, accelerators=(card,)))
    here = [one for one in found if one.tier == "this_computer" and one.obstacle is None]
    assert len(here) > 1
    assert here[0].prediction.memory.host_ratio > 0
    assert here[0].prediction.decode_tokens_per_s == max(one.prediction.decode_tokens_per_s for one in here)


def test_nobody_buys_a_card_for_a_second() -> None:
    """On a computer that is there ten and a half seconds are ten; who buys may ask for less."""
    prediction = next(one.prediction for one in options() if one.obstacle is None)
    asked = msgspec.structs.replace(QUESTION, longest_wait_s=20.0)
    late = msgspec.structs.replace(prediction, first_token_s=21.0)
    assert not speed_obstacles(late, asked, is_here=True)
    assert speed_obstacles(late, asked) == ("waits_too_long",)
    assert speed_obstacles(msgspec.structs.replace(prediction, first_token_s=23.0), asked, is_here=True)


@pytest.mark.parametrize(
    ("first_s", "asked_s", "obstacles"),
    [(27.0, None, ()), (59.0, None, ()), (90.0, None, ("waits_too_long",)), (27.0, 10.0, ("waits_too_long",))],
)
def test_who_set_no_limit_waits_up_to_a_minute_before_a_purchase(
    first_s: float, asked_s: float | None, obstacles: tuple[str, ...]
) -> None:
    """A card of 1,140 EUR was the answer for a beginning within ten seconds that nobody had asked for."""
    prediction = next(one.prediction for one in options() if one.obstacle is None)
    late = msgspec.structs.replace(prediction, first_token_s=first_s)
    question = msgspec.structs.replace(QUESTION, longest_wait_s=asked_s)
    assert speed_obstacles(late, question, is_here=True) == obstacles
    assert speed_obstacles(late, question) == ("waits_too_long",), "nobody buys what begins late"


@pytest.mark.parametrize("rate", [3.4, 3.6, 3.66, 3.74, 4.7, 5.2, 7.9])
@pytest.mark.parametrize("is_here", [True, False])
def test_what_is_called_as_fast_as_people_read_is_what_is_looked_for(rate: float, *, is_here: bool) -> None:
    """The demand was 5.3, 4.7 was "about as fast as you read", and 3.66, told as 3.7, was not 3.7."""
    prediction = next(one.prediction for one in options() if one.obstacle is None)
    ends = msgspec.structs.replace(prediction.decode_interval, low=rate)
    told = msgspec.structs.replace(prediction, decode_tokens_per_s=rate, decode_interval=ends)
    is_slow = "too_slow" in speed_obstacles(told, QUESTION, is_here=is_here)
    assert is_slow == (pace_phrase(rate, language("en")) == "slower than you read")
    assert is_slow == (float(language("en").significant(rate, 2)) < QUESTION.looked_for_tokens_per_s)


def test_all_that_stands_in_the_way_is_told() -> None:
    """Of 4.7 tokens a second after 27 seconds only the wait was told, though 6 had been asked."""
    question = msgspec.structs.replace(QUESTION, model="qwen2.5_14b", least_tokens_per_s=6.0, longest_wait_s=10.0)
    here = next(one for one in options(question) if one.tier == "this_computer")
    assert (here.obstacle, here.further_obstacles[:1]) == ("too_slow", ("waits_too_long",))
    limits = Circumstances(data_must_stay=True, budget_usd=0.0)
    rented = next(one for one in options(circumstances=limits) if one.obstacle == "data_must_stay")
    assert rented.further_obstacles == ("budget",)


def test_who_hands_over_a_book_waits_longer() -> None:
    """Sixty thousand tokens begin within a minute; a short question within ten seconds."""
    assert (usual_wait_s(60_000), usual_wait_s(512)) == (60.0, 10.0)
