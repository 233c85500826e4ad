"""Names of things: answers, confidence, bases, limits, fields; each code has its words here, defined once."""

from typing import get_args

import msgspec
import pytest

from advisor.locale import language
from advisor.recommend.explanation import Disagreement
from advisor.recommend.facts import FACT_UNITS
from advisor.records.base import Basis, GapReason, Interval
from advisor.records.hardware.machine import Isolation
from advisor.records.job.advice import Option, Tier
from advisor.records.job.prediction import Confidence, Limit, confidence_of
from advisor.records.job.workload import Method
from advisor.records.results.measured.measurement import ConditionKind, FailureReason
from advisor.report.provenance.predictions import of_time
from advisor.report.words import labels, problems
from advisor.report.words.advice import reasons, rules
from advisor.report.words.labels import isolation_phrase, money_between, option_title, with_article
from advisor.units import HOUR_S
from tests.unit.report.samples import option, rent

EN = language("en")


@pytest.mark.parametrize(
    ("codes", "words"),
    [
        (get_args(Tier), labels.TIERS),
        (get_args(Confidence), labels.CONFIDENCES),
        (get_args(Basis), labels.BASES),
        (get_args(Limit), labels.LIMITS),
        (get_args(Method), labels.METHODS),
        (get_args(GapReason), problems.GAP_REASONS),
        (get_args(FailureReason), problems.FAILURES),
        (get_args(ConditionKind), problems._CONDITIONS),
        (get_args(Disagreement), reasons.DISAGREEMENTS),
        (FACT_UNITS, rules.FACTS),
    ],
)
def test_codes_and_words_are_the_same_list(codes: object, words: dict[str, str]) -> None:
    """No code without words, no words without code."""
    assert set(codes) == set(words)  # type: ignore[call-overload]


def test_an_unknown_field_is_said_as_it_is_written() -> None:
    """A field without words is readable all the same."""
    assert labels.field_phrase("host.quantum_foam", EN) == "quantum foam"
    assert labels.field_phrase("host.cpu.0", EN) == "cpu"
    assert labels.field_phrase("", EN) == ""


def test_parts_limits_and_dates() -> None:
    """Known codes in words, unknown ones as they are."""
    assert labels.part_phrase("input", EN) == "waiting for input data"
    assert labels.part_phrase("magic", EN) == "magic"
    assert labels.limit_phrase("launch", EN) == "starting many small operations"
    assert labels.spoken_date("2026-11-21", EN) == "Nov 21, 2026"
    assert labels.spoken_date("2024", EN) == "2024"
    assert labels.spoken_date("2020-10", EN) == "October 2020"
    assert labels.spoken_date("2020-10", language("es")) == "octubre de 2020"


def test_what_is_no_name_in_a_device_is_said_in_the_language() -> None:
    """The name Apple M5 Pro (16-core GPU) stood in Spanish pages."""
    mac = option("buy/mac", "single_gpu", "Apple M5 Pro (16-core GPU)", HOUR_S)
    assert option_title(mac, language("es")) == "Apple M5 Pro (GPU de 16 núcleos)"
    assert option_title(mac, EN) == "Apple M5 Pro (16-core GPU)"


def test_a_rented_option_names_its_provider() -> None:
    """Known providers by their name, others as they are, spot as what it is."""
    rented = option("rent/gcp/g2", "cloud", "L4", HOUR_S, usd_per_h=1.0)
    assert option_title(rented, EN) == "L4 at Google Cloud"
    spot = option("rent/nobody/g2", "cloud", "L4", HOUR_S, usd_per_h=1.0, spot=True)
    assert option_title(spot, EN) == "L4 at nobody (interruptible)"


@pytest.mark.parametrize(
    ("isolation", "detail", "phrase"),
    [
        ("container", "Docker, hypervisor", "un contenedor (Docker) dentro de una máquina virtual"),
        ("container", "Docker, Amazon EC2", "un contenedor (Docker) dentro de una máquina virtual (Amazon EC2)"),
        ("container", "Podman, WSL 2", "un contenedor (Podman) dentro de WSL 2"),
        ("container", "", "un contenedor"),
        ("virtual_machine", "hypervisor", "una máquina virtual"),
        ("virtual_machine", "linux,kvm", "una máquina virtual (linux,kvm)"),
    ],
)
def test_what_programs_run_inside_is_said_in_words(isolation: Isolation, detail: str, phrase: str) -> None:
    """A container and the virtual machine around it are told apart; a flag of the processor is no name."""
    host = msgspec.structs.replace(rent().machine.host, isolation=isolation, isolation_detail=detail)
    assert isolation_phrase(host, language("es")) == phrase


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (1 / 3, 3.0, "rough (20 minutes to 3 hours)"),
        (1 / 3.6, 1.2, "rough (17 minutes to 1 hour 10 minutes)"),
        (1 / 1.1, 5.0, "rough (55 minutes to 5 hours)"),
    ],
)
def test_how_sure_says_the_range_that_stands_beside_the_time(low: float, high: float, said: str) -> None:
    """Beside "2 hours (55 minutes to 2½ hours)" stood "up to 2.1 times longer": one factor is wrong of one side."""
    known = msgspec.structs.replace(
        option("here/cpu", "this_computer", "cpu", HOUR_S), interval=Interval(low=low * HOUR_S, high=high * HOUR_S)
    )
    assert labels.option_confidence(known, EN) == said


def test_a_time_without_an_interval_is_rough_all_the_same() -> None:
    """Nor does one that may be nothing have a factor."""
    known = option("here/cpu", "this_computer", "cpu", HOUR_S)
    for ends in (None, Interval(low=0.0, high=2 * HOUR_S)):
        said = labels.option_confidence(msgspec.structs.replace(known, interval=ends), EN)
        assert said == labels.confidence_phrase("rough", EN)


@pytest.mark.parametrize(
    ("usd", "other_usd", "said"),
    [
        (0.7549, 0.7351, "$0.01"),  # $0.75 and $0.74: 0.0198 was said to be $0.02
        (0.764, 0.726, "$0.03"),  # $0.76 and $0.73
        (10.57, 1.27, "$9.73"),  # $11 and $1.27
        (1357.0, 313.2, "$1,047"),  # $1,360 and $313: it read $1,050
        (6299.6, 0.98, "$6,300"),  # $6,300 and $0.98: it read $6,299
        (6299.6, 7.0, "$6,293"),
        (400.9, 0.56, "$400"),
        (1204.0, 1201.0, "$3.00"),  # both read $1,200
    ],
)
def test_amounts_are_as_far_apart_as_they_read(usd: float, other_usd: float, said: str) -> None:
    """Who reads both subtracts one from the other."""
    report = msgspec.structs.replace(rent(), currency_per_usd=1.0)
    report = msgspec.structs.replace(
        report, circumstances=msgspec.structs.replace(report.circumstances, currency="USD")
    )
    assert money_between(usd, other_usd, report, EN) == said


@pytest.mark.parametrize(
    ("ends", "said"),
    [
        ((12.0, 18.0), "fair (up to ±30%)"),
        ((13.0, 18.0), "fair (up to ±30%)"),  # "fair (up to ±30%)": the mean of both sides
        ((12.0, 17.0), "fair (up to ±30%)"),
        ((11.5, 19.5), "fair (up to ±30%)"),
        ((12.7, 15.1), "fair (up to ±30%)"),
        ((13.2, 17.0), "good (up to ±15%)"),
        ((15.0 * 0.85, 15.0 * 1.15), "good (up to ±15%)"),
        ((14.9, 15.1), "good (up to ±15%)"),
        ((10.0, 17.0), "rough (may be 33% shorter or 13% longer)"),
        ((2.5, 75.0), "rough (may be 83% shorter or 5 times as long)"),
        ((3.0, 75.0), "rough (may be 80% shorter or 5 times as long)"),
        ((6.5, 30.0), "rough (may be 57% shorter or 2 times as long)"),
    ],
)
def test_how_sure_a_time_is_fits_the_ends_beside_it(ends: tuple[float, float], said: str) -> None:
    """±30% stood beside "15 hours (12 to 18)", which is a fifth; "fair (up to ±30%)" where good reaches to 15%."""
    between = Interval(low=ends[0] * HOUR_S, high=ends[1] * HOUR_S, coverage_ratio=0.8)
    assert labels.sureness(15 * HOUR_S, between, EN) == said
    assert labels.sureness(15 * HOUR_S, None, EN) == labels.confidence_phrase("rough", EN)
    assert said.startswith(confidence_of(15 * HOUR_S, between))


def test_how_far_a_rough_time_may_be_off_is_that_of_the_times_as_they_are_told() -> None:
    """What stood beside "45 minutes (40 minutes to 2½ hours)" was "4 times longer", which is three hours."""
    said = labels.sureness(2650.0, Interval(low=2330.0, high=9700.0, coverage_ratio=0.8), EN)
    assert said == "rough (may be 11% shorter or 3 times as long)"


def test_a_rough_rate_is_slower_or_faster() -> None:
    """Nobody says of a speed that it is longer."""
    said = labels.sureness(10.0, Interval(low=6.0, high=16.0), EN, "speed")
    assert said == "rough (may be 40% slower or 60% faster)"


def test_a_popover_says_the_word_of_its_title() -> None:
    """Its title said "fair (±15%)", its range "fair (±30%)": the word of a step's interval, not of the run's."""
    report = rent()
    chosen = report.advice.options[0]
    ends = Interval(low=13 * HOUR_S, high=18 * HOUR_S)
    known = msgspec.structs.replace(chosen, run_s=15 * HOUR_S, interval=ends)
    band = of_time(known, report, EN).band
    assert labels.option_confidence(known, EN) == "fair (up to ±30%)"
    assert band.endswith("fair (up to ±30%)")


def test_a_word_says_what_it_stands_for_and_no_share_of_its_own() -> None:
    """Beside "45 minutes (40 to 55)" stood ±25%, beside "17 minutes (13 to 21)" ±30%: nobody finds either in them."""
    known = option("here/cpu", "this_computer", "cpu", 16.9 * 60)
    ends = Interval(low=13.04 * 60, high=21.4 * 60)
    assert labels.option_confidence(msgspec.structs.replace(known, interval=ends), EN) == "fair (up to ±30%)"


@pytest.mark.parametrize(
    ("bought", "code", "said"),
    [
        (option("buy/a", "single_gpu", "RTX 4090", 1.0), "es", "una RTX 4090"),
        (option("buy/a", "single_gpu", "RTX 4090", 1.0), "en", "RTX 4090"),
        (option("buy/a", "single_gpu", "RTX 4090", 1.0, count=2), "es", "2 × RTX 4090"),
        (
            msgspec.structs.replace(option("buy/m", "single_gpu", "Mac mini", 1.0), is_computer=True),
            "es",
            "un Mac mini",
        ),
        (option("here/cuda:0", "this_computer", "RTX 4090", 1.0), "es", "RTX 4090"),
    ],
)
def test_a_card_in_a_spanish_sentence_has_its_article(bought: Option, code: str, said: str) -> None:
    """«comprar RTX 4090 por 2000 €» is not what anybody says; several, and what is here, have none."""
    assert with_article(bought, option_title(bought, language(code)), language(code)) == said
