"""How long a run takes, here and there, for how many epochs, and what passes before it."""

import msgspec

from advisor.records.base import Source
from advisor.records.job.workload import EpochRange
from advisor.report.words import quantities
from advisor.report.words.advice import money, run_time, verdict
from advisor.units import GIB
from tests.unit.gui.plain import plain
from tests.unit.report import samples
from tests.unit.report.samples import option
from tests.unit.report.words.advice.test_verdict import EN, RENT, sentence_of


def test_the_time_here_is_compared_with_the_processor() -> None:
    """On the card, and on the processor alone, with the interval in brackets."""
    expected = "One training takes about 3½ minutes (3 to 4) on its graphics card, 35 minutes on the processor alone."
    assert run_time.time_sentence(samples.enough(), EN) == expected
    assert (
        run_time.time_sentence(samples.classical(), EN)
        == "One training takes about 40 seconds (22 seconds to 1 minute)."
    )


def test_the_time_elsewhere_is_compared_with_here() -> None:
    """There, instead of here; without a comparison where here is impossible."""
    assert run_time.time_sentence(samples.rent(), EN).endswith("there, instead of 32 hours here.")
    assert run_time.time_sentence(samples.buy(), EN).endswith("there.")


def test_inference_is_no_training() -> None:
    """A run that trains nothing is called a run."""
    work = msgspec.structs.replace(samples.enough().workload, task="infer")
    report = msgspec.structs.replace(samples.enough(), workload=work)
    assert run_time.time_sentence(report, EN).startswith("One run takes")


def test_an_unknown_time_is_said() -> None:
    """No number is made up, with or without a chosen option."""
    unknown = option("buy/a", "single_gpu", "a", None, purchase_usd=9)
    for chosen in (None, unknown):
        assert sentence_of(run_time.time_sentence, samples.enough(), chosen) == "How long it takes is not known."
    assert sentence_of(money.money_sentence, samples.enough(), unknown) == "What it costs is not known."


def test_a_time_without_interval_stands_alone() -> None:
    """Without an interval there are no brackets."""
    bare = msgspec.structs.replace(RENT, interval=None)
    assert sentence_of(run_time.time_sentence, samples.enough(), bare) == "One training takes about 1 hour there."


def test_what_passes_before_a_rented_machine_computes_is_said() -> None:
    """Half an hour for eight gigabytes; nothing where nothing is rented."""
    report = samples.rent()
    chosen = verdict.chosen_option(report)
    assert chosen is not None
    sent = msgspec.structs.replace(chosen, sent_bytes=8 * GIB, before_s=1800.0)
    advice = msgspec.structs.replace(report.advice, options=(sent, *report.advice.options[1:]))
    said = run_time.start_sentence(msgspec.structs.replace(report, advice=advice), EN)
    assert said.startswith("Before a run, about 30 minutes pass")
    assert "8\N{NO-BREAK SPACE}GB" in said
    unknown = msgspec.structs.replace(advice, options=(msgspec.structs.replace(sent, sent_bytes=0.0),))
    said = run_time.start_sentence(msgspec.structs.replace(report, advice=unknown), EN)
    assert "how long your data take is unknown" in said
    assert run_time.start_sentence(samples.enough(), EN) == ""


def test_epochs_that_nobody_said_are_told_apart_from_the_run() -> None:
    """The fewest that are usual are taken; the time of one, and of the whole range, stand beside the run's own."""
    report = samples.enough()
    work = msgspec.structs.replace(report.workload, epochs=10.0, epochs_are_default=True)
    usual = EpochRange(low=10, high=40, source=Source(title="A guide", author="Somebody", date="2025-03-01"))
    said = msgspec.structs.replace(report, workload=work)
    open_ones = msgspec.structs.replace(said, usual_epochs=usual)
    assert run_time.epochs_sentence(report, EN) == ""
    assert "nobody publishes" in run_time.epochs_sentence(said, EN)
    text = plain(run_time.epochs_sentence(open_ones, EN))
    chosen = verdict.chosen_option(open_ones)
    assert chosen is not None
    assert chosen.interval is not None
    whole = quantities.duration_range(chosen.interval.low, 4 * chosen.interval.high, EN)
    assert text.startswith(
        "You did not say how many epochs; this is for 10, the fewest of the usual 10 to 40 (Somebody"
    )
    assert text.endswith(plain(f"over that whole range a training takes {whole}."))
    assert run_time.time_sentence(open_ones, EN) == run_time.time_sentence(report, EN)
    trees = msgspec.structs.replace(open_ones, workload=msgspec.structs.replace(work, method="classical"))
    assert "A tree takes" in run_time.epochs_sentence(trees, EN)


def test_an_example_with_fewer_epochs_than_usual_says_what_those_take() -> None:
    """Twenty-one minutes were told for 5 epochs where 10 to 25 are usual: enough for what nobody would do."""
    report = samples.enough()
    usual = EpochRange(low=10, high=25, source=Source(title="A guide", author="Somebody", date="2026-03-01"))
    few = msgspec.structs.replace(
        report, workload=msgspec.structs.replace(report.workload, epochs=5.0), usual_epochs=usual
    )
    chosen = verdict.chosen_option(few)
    assert chosen is not None
    assert chosen.interval is not None
    whole = quantities.duration_range(2 * chosen.interval.low, 5 * chosen.interval.high, EN)
    said = plain(run_time.epochs_sentence(few, EN))
    assert said == plain(f"With the 10 to 25 epochs that are usual (Somebody, 2026) it takes {whole}.")
    for epochs in (10.0, 30.0):
        enough = msgspec.structs.replace(few, workload=msgspec.structs.replace(few.workload, epochs=epochs))
        assert run_time.epochs_sentence(enough, EN) == ""
