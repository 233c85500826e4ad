"""The answer as a user would say it."""

from collections.abc import Callable

import msgspec
import pytest

from advisor.locale import language
from advisor.records.base import Source
from advisor.records.hardware.machine import Accelerator
from advisor.records.job.advice import Option, Reason
from advisor.records.job.asked_job import JOB_PROGRAM
from advisor.records.job.prediction import CostPart
from advisor.records.job.workload import EpochRange
from advisor.records.results.report import Report
from advisor.report.words import quantities
from advisor.report.words.advice import verdict
from advisor.units import DAY_S, GIB, HOUR_S
from tests.unit.gui.plain import plain
from tests.unit.report import samples
from tests.unit.report.samples import option

EN = language("en")


def _with(report: Report, **advice: object) -> Report:
    return msgspec.structs.replace(report, advice=msgspec.structs.replace(report.advice, **advice))


def _desktop(report: Report) -> Report:
    host = msgspec.structs.replace(report.machine.host, form_factor="desktop")
    return msgspec.structs.replace(report, machine=msgspec.structs.replace(report.machine, host=host))


@pytest.mark.parametrize(
    ("report", "expected"),
    [
        (samples.enough(), "Your laptop is enough."),
        (_desktop(samples.enough()), "Your computer is enough."),
        (samples.classical(), "Your laptop is enough; a graphics card would not help."),
        (samples.buy(), "Get a computer with a graphics card: GeForce RTX 5060 Ti 16 GB."),
        (samples.rent(), "Rent in the cloud: L4 at RunPod."),
        (samples.cluster(), "You need a cluster."),
    ],
)
def test_the_verdict_is_a_sentence_a_person_would_say(report: Report, expected: str) -> None:
    """Subject, verb, and nothing about tiers."""
    assert verdict.verdict_sentence(report, EN) == expected


def _here(run_s: float = HOUR_S, **more: object) -> Option:
    return option("here/cuda:0", "this_computer", "c", run_s, **more)  # type: ignore[arg-type]


BUY = msgspec.structs.replace(option("buy/a", "single_gpu", "a", HOUR_S, purchase_usd=400), feasible=True)
RENT = msgspec.structs.replace(option("rent/x/a", "cloud", "a", HOUR_S, usd_per_h=1.0), feasible=True)


def _answer(chosen: Option | None, *others: Option, tier: str | None = None, **advice: object) -> str:
    options = (*([] if chosen is None else [chosen]), *others)
    tier = tier or ("this_computer" if chosen is None else chosen.tier)
    fields = {
        "tier": tier,
        "either": (tier,),
        "chosen": None if chosen is None else chosen.id,
        "options": options,
        "reasons": (),
        **advice,
    }
    return verdict.verdict_sentence(_with(samples.enough(), **fields), EN)


def test_a_torch_that_ignores_the_card_is_in_the_verdict() -> None:
    """Enough, once the software is put right; only where the card is the answer."""
    reasons = (Reason(code="torch_mismatch", values={"mismatch": "cpu_only_build"}),)
    assert "once PyTorch can use" in _answer(_here(), reasons=reasons)
    processor = option("here/cpu", "this_computer", "p", HOUR_S)
    assert _answer(processor, reasons=reasons) == "Your laptop is enough."


def test_days_nobody_agreed_to_are_in_the_verdict() -> None:
    """Enough for the patient."""
    expected = "Your laptop is enough, if you can wait 6 days."
    assert _answer(_here(6 * DAY_S), RENT, either=("this_computer", "cloud")) == expected
    late = (Reason(code="after_deadline", values={"run_s": 6 * DAY_S, "default_deadline_s": DAY_S}),)
    assert _answer(_here(6 * DAY_S), reasons=late) == expected


def test_a_starved_card_is_in_the_verdict_of_a_long_job() -> None:
    """Who waits for hours asks for a faster card; who waits for minutes does not."""
    starved = (Reason(code="input_bound", values={"idle_ratio": 0.7}),)
    expected = "Your laptop is enough; a faster graphics card alone would not help."
    assert _answer(_here(), reasons=starved, gpu_would_help=False) == expected
    assert _answer(_here(60.0), reasons=starved, gpu_would_help=False) == "Your laptop is enough."


def test_a_forced_answer_says_so() -> None:
    """Too slow or too dear, and what comes nearest."""
    late = (Reason(code="after_deadline", values={"run_s": HOUR_S, "deadline_s": 60.0}),)
    assert _answer(_here(), reasons=late) == "Nothing is fast enough; your laptop takes 1 hour."
    assert _answer(BUY, reasons=late) == "Nothing is fast enough; the best is a."
    over = (Reason(code="over_budget", values={}),)
    assert _answer(RENT, reasons=over) == "Your budget is not enough: the cheapest sensible way is a at x."


def test_a_card_for_a_computer_that_has_a_place_for_it() -> None:
    """Without a host in the price, only the card is bought."""
    assert _answer(BUY) == "Get a graphics card: a."
    assert _answer(msgspec.structs.replace(BUY, is_computer=True)) == "Get another computer: a."


def _tie(option: Option) -> tuple[Reason, ...]:
    return (Reason(code="near_tie", values={"tier": option.tier, "option": option.id}),)


def test_two_good_answers_are_both_named() -> None:
    """Buy or rent; or money or patience."""
    both = ("single_gpu", "cloud")
    assert _answer(BUY, RENT, either=both, reasons=_tie(RENT)) == "Buy a or rent a at x: both are good."
    assert _answer(RENT, BUY, either=both[::-1], reasons=_tie(BUY)) == "Buy a or rent a at x: both are good."
    assert _answer(RENT, _here(), either=("cloud", "this_computer")).startswith("Get help, or be a little patient")


def test_a_rival_that_cannot_be_named_changes_nothing() -> None:
    """A tie without an option to name is no sentence of its own."""
    assert _answer(RENT, either=("cloud", "single_gpu")) == "Rent in the cloud: a at x."
    assert _answer(RENT, either=("cloud", "single_gpu"), reasons=_tie(BUY)) == "Rent in the cloud: a at x."


def test_nothing_predicted_is_no_answer() -> None:
    """The program says that it cannot tell."""
    assert _answer(None) == "We cannot tell: no time could be predicted for this job."
    assert _answer(None, tier="cluster") == "You need a cluster."


def _sentence(function: Callable[..., str], report: Report, chosen: Option | None, *others: Option) -> str:
    options = (*([] if chosen is None else [chosen]), *others)
    tier = "this_computer" if chosen is None else chosen.tier
    identity = None if chosen is None else chosen.id
    return function(_with(report, tier=tier, options=options, chosen=identity), EN)


def test_the_time_here_is_compared_with_the_processor() -> None:
    """On the card, and on the processor alone, with the interval in brackets."""
    expected = "One training takes about 3½ minutes (3 to 4) on its graphics card, 35 minutes on the processor alone."
    assert verdict.time_sentence(samples.enough(), EN) == expected
    assert (
        verdict.time_sentence(samples.classical(), EN)
        == "One training takes about 40 seconds (22 seconds to 1 minute)."
    )


def test_the_time_elsewhere_is_compared_with_here() -> None:
    """There, instead of here; without a comparison where here is impossible."""
    assert verdict.time_sentence(samples.rent(), EN).endswith("there, instead of 32 hours here.")
    assert verdict.time_sentence(samples.buy(), EN).endswith("there.")


def test_inference_is_no_training() -> None:
    """A run that trains nothing is called a run."""
    work = msgspec.structs.replace(samples.enough().workload, task="infer")
    report = msgspec.structs.replace(samples.enough(), workload=work)
    assert verdict.time_sentence(report, EN).startswith("One run takes")


def test_an_unknown_time_is_said() -> None:
    """No number is made up, with or without a chosen option."""
    unknown = option("buy/a", "single_gpu", "a", None, purchase_usd=9)
    for chosen in (None, unknown):
        assert _sentence(verdict.time_sentence, samples.enough(), chosen) == "How long it takes is not known."
    assert _sentence(verdict.money_sentence, samples.enough(), unknown) == "What it costs is not known."


def test_a_time_without_interval_stands_alone() -> None:
    """Without an interval there are no brackets."""
    bare = msgspec.structs.replace(RENT, interval=None)
    assert _sentence(verdict.time_sentence, samples.enough(), bare) == "One training takes about 1 hour there."


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        (_here(memory_gib=6), "It uses 1.9 of 6 GB of graphics memory."),
        (option("here/cpu", "this_computer", "p", 60.0, memory_gib=16), "It uses 1.9 of 16 GB of main memory."),
        (_here(memory_gib=None), "It uses 1.9 GB of memory."),
        (option("buy/2", "single_gpu", "a", 1.0, count=2), "It uses 1.9 of 24 GB of graphics memory on each card."),
        (option("here/cpu", "this_computer", "p", 60.0, needed_gib=None), ""),
        (None, ""),
    ],
)
def test_the_memory_sentence_says_whose_memory(chosen: Option | None, expected: str) -> None:
    """Graphics memory, main memory, per card, or nothing where nothing is known."""
    found = _sentence(verdict.memory_sentence, samples.enough(), chosen)
    assert found.replace("\N{NO-BREAK SPACE}", " ") == expected


def test_the_money_sentence_follows_the_kind_of_answer() -> None:
    """Electricity, rent over the horizon, or a purchase with the computer around the card."""
    assert "nothing but electricity" in verdict.money_sentence(samples.enough(), EN)
    assert "€" in verdict.money_sentence(samples.enough(), EN)
    assert "$0.73 a run, $35 in 1 year" in verdict.money_sentence(samples.rent(), EN)
    bought = verdict.money_sentence(samples.buy(), EN)
    assert "$1,330 once" in bought
    assert "$900 of that are for a computer" in bought
    assert "computer to put" not in _sentence(verdict.money_sentence, samples.rent(), BUY)


def test_a_single_run_has_one_price() -> None:
    """Nobody needs the cost of one run and of all one runs."""
    asked = msgspec.structs.replace(samples.rent().circumstances, runs_per_month=1.0, horizon_months=1.0)
    report = samples.rent()
    chosen = verdict.chosen_option(report)
    assert chosen is not None
    paid = msgspec.structs.replace(chosen, horizon_usd=chosen.run_usd)
    advice = msgspec.structs.replace(report.advice, options=(paid, *report.advice.options[1:]))
    once = msgspec.structs.replace(report, circumstances=asked, advice=advice)
    assert verdict.money_sentence(once, EN) == "It costs $0.73."


def test_what_a_rent_costs_beside_its_hours_is_said() -> None:
    """Nine dollars of ten keep the data; of a hundredth nobody speaks."""
    report = samples.rent()
    chosen = verdict.chosen_option(report)
    assert chosen is not None
    assert chosen.run_usd is not None
    for share, is_said in ((0.9, True), (0.01, False)):
        kept = CostPart(kind="storage", fixed_usd=share * (chosen.horizon_usd or 0.0))
        dear = msgspec.structs.replace(chosen, cost_parts=(kept,))
        advice = msgspec.structs.replace(report.advice, options=(dear, *report.advice.options[1:]))
        said = verdict.money_sentence(msgspec.structs.replace(report, advice=advice), EN)
        assert ("keep your data there" in said) is is_said


def test_what_passes_before_a_rented_machine_computes_is_said() -> None:
    """Half an hour for eight gigabytes; nothing where nothing is rented."""
    report = samples.rent()
    chosen = verdict.chosen_option(report)
    assert chosen is not None
    sent = msgspec.structs.replace(chosen, sent_bytes=8 * GIB, before_s=1800.0)
    advice = msgspec.structs.replace(report.advice, options=(sent, *report.advice.options[1:]))
    said = verdict.start_sentence(msgspec.structs.replace(report, advice=advice), EN)
    assert said.startswith("Before a run, about 30 minutes pass")
    assert "8\N{NO-BREAK SPACE}GB" in said
    unknown = msgspec.structs.replace(advice, options=(msgspec.structs.replace(sent, sent_bytes=0.0),))
    said = verdict.start_sentence(msgspec.structs.replace(report, advice=unknown), EN)
    assert "how long your data take is not known" in said
    assert verdict.start_sentence(samples.enough(), EN) == ""


def test_how_sure_is_said_with_its_figure() -> None:
    """The word and what it means."""
    assert verdict.confidence_sentence(samples.enough(), EN) == "How sure: good (±15%)"


def measured_job(report: Report, details: dict[str, float] | None = None) -> Report:
    """Return a report in which the first measured training was the job itself, and the chosen time rests on it."""
    assert report.benchmark is not None
    first, *others = report.benchmark.measurements
    case = msgspec.structs.replace(first.case, id="job/a", program=JOB_PROGRAM, batch_size=16)
    job = msgspec.structs.replace(first, case=case, median_s=0.25, items_per_iteration=16, details=details or {})
    chosen = verdict.chosen_option(report)
    assert chosen is not None
    assert chosen.prediction is not None
    rests = msgspec.structs.replace(chosen.prediction, basis="measured", basis_detail=("job/a",))
    options = [
        msgspec.structs.replace(one, prediction=rests) if one.id == chosen.id else one for one in report.advice.options
    ]
    run = msgspec.structs.replace(report.benchmark, measurements=(job, *others))
    return msgspec.structs.replace(_with(report, options=tuple(options)), benchmark=run)


def test_a_measured_job_is_said_to_be_measured() -> None:
    """With the samples it learns in a second; how much of that was worked out is said too."""
    assert verdict.measured_sentence(samples.enough(), EN) == ""
    text = verdict.measured_sentence(measured_job(samples.enough()), EN)
    assert text == "Your own job was measured here: 64 samples a second."
    partly = verdict.measured_sentence(measured_job(samples.enough(), {"measured_ratio": 0.87}), EN)
    assert "87% of the time was measured" in partly


def test_the_smallest_card_that_holds_the_job_is_said_where_another_is_the_answer() -> None:
    """Whoever is told to get or rent a large card reads which would do."""
    sizes = [
        one.prediction.memory.available_bytes
        for one in samples.rent().advice.options
        if one.id != "here/cpu" and one.device_count == 1 and one.prediction and one.prediction.memory
        if one.prediction.memory.fits
    ]
    least = f"{min(size for size in sizes if size is not None) / 2**30:.0f} GB"
    said = plain(verdict.memory_sentence(samples.rent(), EN))
    assert f"The smallest single card that does it has {least}." in said
    assert "smallest card" not in verdict.memory_sentence(samples.enough(), EN)


def test_a_job_measured_here_is_not_said_of_hardware_elsewhere() -> None:
    """What is rented was not measured, so nothing is said of it."""
    assert verdict.measured_sentence(measured_job(samples.rent()), EN) == ""


def test_epochs_that_nobody_said_are_told_apart_from_the_run() -> None:
    """The fewest that are usual are taken; the time of one, and of the whole range, stand beside the run's own."""
    report = samples.enough()
    work = msgspec.structs.replace(report.workload, epochs=10.0, epochs_are_default=True)
    usual = EpochRange(low=10, high=40, source=Source(title="A guide", author="Somebody", date="2025-03-01"))
    said = msgspec.structs.replace(report, workload=work)
    open_ones = msgspec.structs.replace(said, usual_epochs=usual)
    assert verdict.epochs_sentence(report, EN) == ""
    assert "nobody publishes" in verdict.epochs_sentence(said, EN)
    text = plain(verdict.epochs_sentence(open_ones, EN))
    chosen = verdict.chosen_option(open_ones)
    assert chosen is not None
    assert chosen.interval is not None
    whole = quantities.duration_range(chosen.interval.low, 4 * chosen.interval.high, EN)
    assert text.startswith(
        "You did not say how many epochs; this is for 10, the fewest of the usual 10 to 40 (Somebody"
    )
    assert text.endswith(plain(f"over that whole range a training takes {whole}."))
    assert verdict.time_sentence(open_ones, EN) == verdict.time_sentence(report, EN)
    trees = msgspec.structs.replace(open_ones, workload=msgspec.structs.replace(work, method="classical"))
    assert "A tree takes" in verdict.epochs_sentence(trees, EN)


def test_a_computer_that_nobody_has_yet_would_be_enough() -> None:
    """It is not said to be the user's, and what its card costs is said where the catalogue knows."""
    sold = option("buy/card", "single_gpu", "RTX 4060", HOUR_S, purchase_usd=900.0, host_usd=600.0)
    report = samples.enough()
    here = msgspec.structs.replace(report.advice.options[0], title="RTX 4060")
    advice = msgspec.structs.replace(report.advice, options=(here, sold), chosen=here.id)
    known = msgspec.structs.replace(report, is_simulated=True, advice=advice)
    card = Accelerator(vendor="nvidia", index=0, name="RTX 4060", kind="discrete", trains=True)
    in_file, by_hand = (
        msgspec.structs.replace(known.machine, accelerators=(msgspec.structs.replace(card, is_overridden=is_said),))
        for is_said in (False, True)
    )
    pretended = msgspec.structs.replace(known, machine=by_hand)
    assert verdict.verdict_sentence(pretended, EN) == "With RTX 4060 in this computer it would be enough."
    assert verdict.money_sentence(pretended, EN).startswith("The card itself costs about €276; then it costs ")
    assert "card itself" not in verdict.money_sentence(msgspec.structs.replace(pretended, is_simulated=False), EN)
    assert "card itself" not in verdict.money_sentence(msgspec.structs.replace(known, machine=in_file), EN)
