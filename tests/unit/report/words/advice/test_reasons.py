"""Why, why not, and what would change it, in sentences."""

from typing import Any, get_args

import msgspec
import pytest

from advisor.gui.models.verdict import verdict_view
from advisor.locale import language
from advisor.recommend.feasibility import Obstacle
from advisor.recommend.reason_base import ReasonCode
from advisor.records.job.advice import FactValue, Flip, Reason
from advisor.records.results.report import Report
from advisor.report.formats.write import render
from advisor.report.words.advice import flips, reasons, rules
from advisor.report.words.advice.reasons import UNKNOWN_CODE
from advisor.report.words.advice.trade import comparison_sentence, given_up_phrase
from advisor.units import DAY_S, GIB, HOUR_S
from tests.unit.report import samples
from tests.unit.report.samples import option, rent

EN = language("en")
REPORT = samples.rent()
VALUES: dict[str, FactValue] = {
    "available_bytes": 6 * GIB,
    "budget_usd": 100.0,
    "busy_s": 40 * DAY_S,
    "card_s": 210.0,
    "chosen_usd": 30.0,
    "cores": 2,
    "count": 8,
    "deadline_s": DAY_S,
    "device": "card",
    "device_months": 2345.6,
    "high_s": 2 * DAY_S,
    "horizon_months": 24.0,
    "horizon_usd": 40.0,
    "host_usd": 700.0,
    "idle_ratio": 0.7,
    "mismatch": "cpu_only_build",
    "month_s": 30 * DAY_S,
    "months": 9.0,
    "needed_bytes": 14 * GIB,
    "outlay_usd": 400.0,
    "parts": 4,
    "processor_s": 2100.0,
    "purchase_usd": 400.0,
    "run_s": HOUR_S,
    "run_usd": 0.84,
    "runs": 48.0,
    "tier": "cloud",
    "times": 9.6,
}


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ({"form_factor": "laptop"}, True),
        ({"form_factor": "desktop", "os_name": "macOS"}, True),
        ({"form_factor": "unknown"}, False),
        ({"form_factor": "server", "isolation": "vm"}, False),
    ],
)
def test_that_a_card_has_no_place_here_is_said_where_that_is_known(host: dict[str, Any], known: bool) -> None:
    """«En este no hay sitio para ella» was said of every virtual machine and unknown case."""
    machine = samples.laptop(card=False)
    seen = msgspec.structs.replace(machine, host=msgspec.structs.replace(machine.host, **host))
    report = msgspec.structs.replace(REPORT, machine=seen)
    reason = Reason(code="needs_host", values={"host_usd": 700.0})
    said = reasons.reason_sentence(reason, report, EN)
    assert ("because this one has no place for it" in said, "look before you buy" in said) == (known, not known)
    assert ("no hay sitio" in reasons.reason_sentence(reason, report, language("es"))) == known
    loads = Reason(code="needs_host", values={**reason.values, "kind": "loads", "threads": 16.0, "run_s": 60.0})
    assert "because loading the data sets the pace" in reasons.reason_sentence(loads, report, EN)


@pytest.mark.parametrize("code", get_args(ReasonCode))
@pytest.mark.parametrize("without", [(), ("deadline_s",), ("months", "needed_bytes"), ("tier", "device")])
def test_each_reason_is_a_sentence_without_holes(code: str, without: tuple[str, ...]) -> None:
    """Whatever values a reason brings, its sentence has no brace left and ends like one."""
    values = {name: value for name, value in VALUES.items() if name not in without}
    if "deadline_s" in without:
        values["default_deadline_s"] = DAY_S
    text = reasons.reason_sentence(Reason(code=code, values=values), REPORT, EN)
    assert "{" not in text
    assert text.endswith(".")
    assert text[0].isupper()


@pytest.mark.parametrize("report", samples.every().values(), ids=samples.every())
def test_each_reason_of_the_samples_has_all_its_values(report: Report) -> None:
    """Real advice never leaves a value unknown in a reason, an obstacle or a flip."""
    texts = [reasons.reason_sentence(one, report, EN) for one in report.advice.reasons]
    texts += [reasons.obstacle_phrase(one, report, EN) for one in report.advice.options]
    texts += [flips.flip_sentence(one, report, EN) for one in report.advice.flips]
    texts += [rules.rule_sentence(one, report, EN) for one in report.advice.fired]
    assert texts
    for text in texts:
        assert "unknown" not in text
        assert "{" not in text


def test_a_reason_takes_the_text_of_its_device_and_deadline() -> None:
    """Processor or card, asked deadline or not."""
    slow = Reason(code="too_slow_here", values={"run_s": 30 * HOUR_S, "device": "processor", "deadline_s": DAY_S})
    expected = "On this computer's processor it takes 30 hours; you allow 1 day."
    assert reasons.reason_sentence(slow, REPORT, EN) == expected
    unasked = Reason(code="too_slow_here", values={"run_s": 30 * HOUR_S, "device": "card"})
    expected = "On this computer's graphics card it takes 30 hours, which is too long."
    assert reasons.reason_sentence(unasked, REPORT, EN) == expected


def test_a_torch_mismatch_brings_its_remedy() -> None:
    """The reason is the sentence about torch, with what to install."""
    text = reasons.reason_sentence(Reason(code="torch_mismatch", values={"mismatch": "cpu_only_build"}), REPORT, EN)
    assert "processor only" in text
    assert "Install the PyTorch build" in text


def test_obstacles_in_few_words() -> None:
    """The one reason an option lost, with its numbers where there are any."""
    lost = msgspec.structs.replace(
        option("buy/a", "single_gpu", "a", HOUR_S, purchase_usd=400),
        obstacle="dearer",
        obstacle_values={"extra_usd": 400.0},
    )
    assert reasons.obstacle_phrase(lost, REPORT, EN) == "costs $400 more"
    small = msgspec.structs.replace(lost, obstacle="does_not_fit", obstacle_values={})
    assert reasons.obstacle_phrase(small, REPORT, EN) == "does not fit"
    chosen = msgspec.structs.replace(lost, obstacle=None)
    assert reasons.obstacle_phrase(chosen, REPORT, EN) == ""


def test_a_disagreement_is_said_only_where_there_is_one() -> None:
    """The rule and the numbers."""
    assert "renting is cheaper" in reasons.disagreement_sentence(samples.rent(), EN)
    assert reasons.disagreement_sentence(samples.enough(), EN) == ""


@pytest.mark.parametrize(
    ("codes", "words"),
    [
        (set(get_args(ReasonCode)) - {"torch_mismatch"}, reasons.REASONS),
        (set(get_args(Obstacle)), reasons.OBSTACLES),
    ],
)
def test_codes_with_variants_have_words(codes: set[str], words: dict[str, str]) -> None:
    """A code may have several texts, for its device or its tier."""
    assert codes == {key.split("/")[0] for key in words}


def test_codes_nobody_knows_are_said_to_be_unknown() -> None:
    """In the terminal, in a page and in the window: the rest of the report is shown."""
    report = rent()
    strange = Reason(code="nobody_knows_this", values={"run_s": 3.0})
    options = tuple(
        msgspec.structs.replace(one, obstacle=None if one.obstacle is None else "nobody_knows")
        for one in report.advice.options
    )
    advice = msgspec.structs.replace(
        report.advice,
        reasons=(strange, *report.advice.reasons),
        disagreement="nobody_knows",
        flips=(Flip(fact="phase_of_the_moon", now=1.0, then=2.0, tier="cloud"),),
        options=options,
    )
    report = msgspec.structs.replace(report, advice=advice)
    for form in ("text", "html", "md"):
        assert "does not know" in " ".join(render(report, form, EN).decode().split())
    assert verdict_view(report, EN).answer.headline.text
    assert given_up_phrase(strange, report, EN) == comparison_sentence(strange, report, EN) == UNKNOWN_CODE


def test_how_many_times_as_long_is_what_the_times_beside_it_say() -> None:
    """It was 5.5 times as long where 3 minutes and 17 minutes were said."""
    values: dict[str, FactValue] = {"card_s": 190.0, "processor_s": 1047.0, "times": 1047 / 190}
    said = reasons.reason_sentence(Reason(code="card_against_processor", values=values), REPORT, EN)
    assert said == "It takes 3 minutes on the graphics card, 17 minutes on the processor alone: 5.7 times as long."
    longer = Reason(code="takes_longer", values={"times": 1047 / 190, "run_s": 1047.0, "shortest_s": 190.0})
    assert given_up_phrase(longer, REPORT, EN) == "takes 5.7 times as long as the quickest"
    assert given_up_phrase(Reason(code="takes_longer", values={"times": 5.51}), REPORT, EN).startswith("takes 5.5 ")
