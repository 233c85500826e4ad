"""Which options a filter lets through."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.catalog import preset
from advisor.gui.models.options.details import option_facts
from advisor.gui.models.options.filters import OptionFilter, device_of, memory_bytes, options_of, vendors_of
from advisor.locale import language
from advisor.records.request import Observation
from advisor.records.results.report import Report
from advisor.session.forecast import conclude
from advisor.units import GIB
from tests.gui.samples import sample_report

EN, ES = language("en"), language("es")


def test_without_a_filter_all_are_shown(report: Report) -> None:
    """Every option is in the list, in the advice's order."""
    assert options_of(report, OptionFilter(), EN) == list(report.advice.options)


@pytest.mark.parametrize("vendor", ["nvidia", "amd", "intel"])
def test_a_maker(report: Report, vendor: str) -> None:
    """Only devices of a maker are left, and there are some of each that is offered."""
    shown = options_of(report, OptionFilter(vendor=vendor), EN)

    assert vendor in vendors_of(report)
    assert shown
    assert {device.vendor for option in shown if (device := device_of(option)) is not None} == {vendor}


@pytest.mark.parametrize("family", ["consumer", "professional", "datacenter"])
def test_a_kind_of_card(report: Report, family: str) -> None:
    """Home, workstation and data centre cards are told apart."""
    shown = options_of(report, OptionFilter(for_whom=family), EN)

    assert shown
    assert {device.for_whom for option in shown if (device := device_of(option)) is not None} == {family}


def test_memory_and_money_are_limits(report: Report) -> None:
    """At least 24 GB a device and at most 50 dollars; what has no known cost is left out."""
    shown = options_of(report, OptionFilter(least_bytes=24 * GIB, most_usd=50.0), EN)

    assert shown
    assert all((memory_bytes(option) or 0) > 22 * GIB for option in shown)
    assert all(option.horizon_usd is not None and option.horizon_usd <= 50.0 for option in shown)


def test_what_has_no_known_cost_is_within_no_budget() -> None:
    """Shown where money plays no role only."""
    sample = sample_report()
    options = tuple(msgspec.structs.replace(one, horizon_usd=None) for one in sample.advice.options)
    answer = msgspec.structs.replace(sample, advice=msgspec.structs.replace(sample.advice, options=options))

    assert len(options_of(answer, OptionFilter(), EN)) == len(options)
    assert options_of(answer, OptionFilter(most_usd=1e9), EN) == []


def test_a_card_sold_with_16_gb_counts_as_16() -> None:
    """Firmware keeps a little; a card that reports 15.6 GiB is still one of 16 GB."""
    sample = sample_report()
    option = sample.advice.options[0]
    assert option.prediction is not None
    base = conclude(
        Observation(machine=sample.machine), preset("article_cnn").workload, sample.circumstances
    ).advice.options[0]
    assert base.prediction is not None
    assert base.prediction.memory is not None
    memory = msgspec.structs.replace(base.prediction.memory, available_bytes=15.6 * GIB)
    option = msgspec.structs.replace(option, prediction=msgspec.structs.replace(base.prediction, memory=memory))
    advice = msgspec.structs.replace(sample.advice, options=(option,))
    answer = msgspec.structs.replace(sample, advice=advice)

    assert options_of(answer, OptionFilter(least_bytes=16 * GIB), EN) == [option]
    assert options_of(answer, OptionFilter(least_bytes=24 * GIB), EN) == []


@pytest.mark.parametrize(
    ("words", "language_", "expected"),
    [("l4", EN, "L4"), ("5060 rtx", EN, "5060"), ("rent L4", EN, "L4"), ("alquilar l4", ES, "L4")],
)
def test_words_of_the_name_in_any_order(words: str, language_: object, expected: str) -> None:
    """Each word must be in the name, the provider or the answer's word, in the user's language."""
    shown = options_of(sample_report(), OptionFilter(words=words), language_)  # type: ignore[arg-type]  # a Language

    assert shown
    assert all(expected in option.title for option in shown)


def test_only_what_meets_the_wishes(report: Report) -> None:
    """What does not fit, is late or too dear can be left out."""
    shown = options_of(report, OptionFilter(is_feasible=True), EN)

    assert shown
    assert all(option.feasible for option in shown)


@given(
    kind=st.sampled_from([None, "here", "buy", "rent", "cluster"]),
    most=st.none() | st.floats(0, 1e6),
    words=st.text(max_size=8),
    is_feasible=st.booleans(),
)
def test_any_filter_narrows(kind: str | None, most: float | None, words: str, is_feasible: bool) -> None:
    """No filter shows what was not compared, nor changes the order."""
    report = sample_report()
    wanted = OptionFilter(kind=kind, most_usd=most, words=words, is_feasible=is_feasible)
    shown = options_of(report, wanted, EN)
    places = [report.advice.options.index(option) for option in shown]

    assert places == sorted(places)
    assert len(set(places)) == len(places)


def test_an_unknown_device_is_not_of_any_maker() -> None:
    """A device of a report from elsewhere that no catalogue has stays in the list, but belongs to no maker."""
    report = sample_report()
    odd = msgspec.structs.replace(report.advice.options[0], device="<b>Nobody's card</b>")
    answer = msgspec.structs.replace(report, advice=msgspec.structs.replace(report.advice, options=(odd,)))

    assert options_of(answer, OptionFilter(), EN) == [odd]
    assert options_of(answer, OptionFilter(vendor="nvidia"), EN) == []
    assert option_facts(odd, answer, EN)
