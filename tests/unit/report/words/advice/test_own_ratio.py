"""An article's 8 to 12 times beside an answer in which a card is 70 times as fast."""

import msgspec
import pytest

from advisor.locale import Language, language
from advisor.records.results.report import Report
from advisor.report.content.answer import answer
from advisor.report.content.options.best import best_options
from advisor.report.words.quantities import factor
from tests.unit.report import samples

EN, ES = language("en"), language("es")


def asked(ratio: float, threads: int, report: Report | None = None) -> Report:
    """Return an answer of a processor so many times as slow as the best card that can be bought."""
    report = report or samples.rent()
    [card] = [one for one in best_options(report) if one.tier == "single_gpu"]
    assert card.run_s is not None
    options = tuple(
        msgspec.structs.replace(one, run_s=ratio * card.run_s) if one.tier == "this_computer" else one
        for one in report.advice.options
    )
    host = report.machine.host
    host = msgspec.structs.replace(host, cpu=msgspec.structs.replace(host.cpu, usable_cores=threads))
    return msgspec.structs.replace(
        report,
        advice=msgspec.structs.replace(report.advice, options=options),
        machine=msgspec.structs.replace(report.machine, host=host),
    )


def said(report: Report, spoken: Language) -> str:
    """Return what stands under the rule about how much a card gains."""
    texts = [one.text.replace("\xa0", " ") for one in answer(report, spoken).rules]
    [text] = [one for one in texts if "413 s" in one]
    return text


@pytest.mark.parametrize("spoken", [EN, ES], ids=["en", "es"])
def test_a_ratio_far_from_the_article_is_reconciled(spoken: Language) -> None:
    """3 hours here and 2½ minutes on a card stood above "8 to 12 times", without a word."""
    start = {"en": "For your job it is about 72 times", "es": "En tu caso es unas 72 veces"}[spoken.code]
    small = {"en": "with 2 threads where the article's has 12", "es": "tiene 2 hilos y el del artículo, 12"}[
        spoken.code
    ]
    assert factor(72.0, spoken) == "72"
    assert start in said(asked(72.0, 2), spoken)
    assert small in said(asked(72.0, 2), spoken)
    assert start in said(asked(72.0, 24), spoken)
    assert small not in said(asked(72.0, 24), spoken)


@pytest.mark.parametrize("ratio", [6.0, 9.6, 17.0])
def test_a_ratio_near_the_article_needs_no_word(ratio: float) -> None:
    """It says about as much itself."""
    assert "For your job" not in said(asked(ratio, 2), EN)


def test_a_card_that_gains_little_is_said_too() -> None:
    """Whatever the processor."""
    assert "For your job it is about 3 times" in said(asked(3.0, 2), EN)
    assert "small" not in said(asked(3.0, 2), EN)


def test_a_disturbed_check_is_said_with_it() -> None:
    """The time here is then worked out, not measured."""
    assert said(asked(72.0, 2, samples.slowed(0.9, 0.9)), EN).endswith("without other programs can tell exactly.")
    assert "other programs" not in said(asked(72.0, 2), EN)


def test_a_check_that_others_slowed_does_not_blame_the_processor() -> None:
    """It said "about 81 times: this processor is small" where others had taken two thirds of it."""
    told = said(asked(72.0, 2, samples.slowed(0.6, 0.6)), EN)
    assert told.endswith(
        "Other programs slowed the check of this computer: without them it may be as little as 12 times."
    )
    assert "small" not in told
    assert "small" in said(asked(72.0, 2, samples.slowed(0.1, 0.1)), EN)
