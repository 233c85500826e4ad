"""The answer as a user would say it."""

from collections.abc import Callable

import msgspec
import pytest

from advisor.gui.models.verdict import verdict_view
from advisor.locale import Language, language
from advisor.records.hardware.machine import Accelerator
from advisor.records.job.advice import Option, Reason, Trade
from advisor.records.job.asked_job import JOB_PROGRAM
from advisor.records.job.workload import Circumstances
from advisor.records.results.report import Report
from advisor.report.content.answer import answer
from advisor.report.content.document_builder import document
from advisor.report.words.advice import money, verdict
from advisor.units import DAY_S, HOUR_S
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
        (samples.enough(), "This laptop is enough."),
        (_desktop(samples.enough()), "This computer is enough."),
        (samples.classical(), "This laptop is enough; no graphics card is needed."),
        (
            samples.buy(),
            "This laptop has too little memory for that. Get a computer with a graphics card: GeForce RTX 5060 Ti "
            "16 GB.",
        ),
        (samples.rent(), "Rent in the cloud: L4 at RunPod."),
        (samples.cluster(), "You need a cluster."),
    ],
)
def test_the_verdict_is_a_sentence_a_person_would_say(report: Report, expected: str) -> None:
    """Subject, verb, and nothing about tiers."""
    assert verdict.verdict_sentence(report, EN) == expected


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("en", "This computer has too little memory for that. "),
        ("es", "A este equipo le falta memoria para eso. "),
    ],
)
def test_what_to_get_comes_after_why_this_computer_will_not_do(code: str, said: str) -> None:
    """It began "Rent in the cloud", and that this computer has not the memory stood among the reasons."""
    report = _desktop(samples.buy())
    assert verdict.verdict_sentence(report, language(code)).startswith(said)
    options = tuple(
        msgspec.structs.replace(one, obstacle="misses_deadline") if one.tier == "this_computer" else one
        for one in report.advice.options
    )
    slow = verdict.verdict_sentence(_with(report, options=options), language(code))
    assert verdict.verdict_sentence(report, language(code)) == f"{said}{slow}"


def test_a_card_that_is_too_small_is_named_where_the_processor_would_only_take_months() -> None:
    """QLoRA of 8B with a card of 8 GB: "instead of 3½ months here", and not a word of the card."""
    replaced = msgspec.structs.replace
    processor = replaced(option("here/cpu", "this_computer", "p", 100 * DAY_S), obstacle="misses_deadline")
    small = replaced(option_here(), obstacle="does_not_fit")
    said = "The graphics card has too little memory for that. Rent in the cloud: a at x."
    assert _answer(RENT, small, processor, tier="cloud") == said
    hopeless = replaced(RENT, run_s=40 * 365 * DAY_S)
    assert _answer(hopeless, small, processor, tier="cloud").startswith("Nothing finishes this")
    slow = replaced(option_here(), obstacle="misses_deadline")
    assert _answer(RENT, slow, processor, tier="cloud") == "Rent in the cloud: a at x."


def option_here(run_s: float = HOUR_S, **more: object) -> Option:
    """Return the card of this computer as an option."""
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
    assert "once PyTorch can use" in _answer(option_here(), reasons=reasons)
    processor = option("here/cpu", "this_computer", "p", HOUR_S)
    assert _answer(processor, reasons=reasons) == "This laptop is enough."


def test_days_nobody_agreed_to_are_in_the_verdict() -> None:
    """Enough for the patient."""
    expected = "This laptop is enough, if you can wait 6 days."
    assert _answer(option_here(6 * DAY_S), RENT, either=("this_computer", "cloud")) == expected
    late = (Reason(code="after_deadline", values={"run_s": 6 * DAY_S, "default_deadline_s": DAY_S}),)
    assert _answer(option_here(6 * DAY_S), reasons=late) == expected


def test_a_starved_card_is_in_the_verdict_of_a_long_job() -> None:
    """Who waits for hours asks for a faster card; who waits for minutes does not."""
    starved = (Reason(code="input_bound", values={"idle_ratio": 0.7}),)
    expected = "This laptop is enough; a faster graphics card alone would not help."
    assert _answer(option_here(), reasons=starved, gpu_would_help=False) == expected
    assert _answer(option_here(60.0), reasons=starved, gpu_would_help=False) == "This laptop is enough."


def test_a_forced_answer_says_so() -> None:
    """Too slow or too dear, and what comes nearest."""
    late = (Reason(code="after_deadline", values={"run_s": HOUR_S, "deadline_s": 60.0}),)
    assert _answer(option_here(), reasons=late) == "Nothing is fast enough; this laptop takes 1 hour."
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
    for best, said in ((RENT, "Rent a at x"), (BUY, "Buy a")):
        either = (best.tier, "this_computer")
        assert _answer(best, option_here(), either=either) == f"{said}, or be patient with what you have."


def test_a_rival_that_cannot_be_named_changes_nothing() -> None:
    """A tie without an option to name is no sentence of its own."""
    assert _answer(RENT, either=("cloud", "single_gpu")) == "Rent in the cloud: a at x."
    assert _answer(RENT, either=("cloud", "single_gpu"), reasons=_tie(BUY)) == "Rent in the cloud: a at x."


def test_nothing_predicted_is_no_answer() -> None:
    """The program says that it cannot tell."""
    assert _answer(None) == "We cannot tell: no time could be predicted for this job."
    assert _answer(None, tier="cluster") == "You need a cluster."


def sentence_of(function: Callable[..., str], report: Report, chosen: Option | None, *others: Option) -> str:
    """Return what a function says of a report with such options, the first of them chosen."""
    options = (*([] if chosen is None else [chosen]), *others)
    tier = "this_computer" if chosen is None else chosen.tier
    identity = None if chosen is None else chosen.id
    return function(_with(report, tier=tier, options=options, chosen=identity), EN)


def test_how_sure_is_said_with_its_figure() -> None:
    """The word and what it means."""
    assert verdict.confidence_sentence(samples.enough(), EN) == "How sure: good (up to ±15%)"


def with_measured_job(report: Report, details: dict[str, float] | None = None) -> Report:
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


def undisturbed_job(report: Report) -> Report:
    """Return a report in which others ran beside other tests than the job's."""
    assert report.benchmark is not None
    job, *others = report.benchmark.measurements
    measurements = (msgspec.structs.replace(job, conditions=()), *others)
    return msgspec.structs.replace(
        report, benchmark=msgspec.structs.replace(report.benchmark, measurements=measurements)
    )


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
    assert verdict.verdict_sentence(pretended, EN) == "With the RTX 4060 in this computer it would be enough."
    assert money.money_sentence(pretended, EN).startswith("The card itself costs about €276; then it costs ")
    assert "card itself" not in money.money_sentence(msgspec.structs.replace(pretended, is_simulated=False), EN)
    assert "card itself" not in money.money_sentence(msgspec.structs.replace(known, machine=in_file), EN)


def _asked(job_ratio: float, other_ratio: float, deadline_s: float = DAY_S) -> Report:
    return samples.slowed(job_ratio, other_ratio, Circumstances(deadline_s=deadline_s))


@pytest.mark.parametrize("spoken", [EN, language("es")], ids=["en", "es"])
def test_what_cannot_be_told_is_not_called_enough_in_green(spoken: Language) -> None:
    """It said "Your computer is enough" in its colour above "how fast this computer is cannot be told"."""
    sure = answer(_asked(0.2, 0.0), spoken)
    assert sure.tier == "this_computer"
    for shares in ((0.9, 0.0), (0.1, 0.95)):
        said, report = answer(_asked(*shares), spoken), _asked(*shares)
        assert (report.advice.tier, said.tier) == ("this_computer", None)
        assert said.headline.text != sure.headline.text
        assert document(report, spoken).tier is None
        assert verdict_view(report, spoken).kind == ""
        assert any(spoken.percent(max(shares[0], shares[1] * 4 / 5 + shares[0] / 5)) in one.text for one in said.notes)
    probably = {"en": "This laptop is probably enough", "es": "Este equipo portátil probablemente basta"}
    assert said.headline.text.startswith(probably[spoken.code])


def test_what_is_too_late_with_others_at_work_may_not_be_so_without_them() -> None:
    """It takes no longer without them, so that what is in time is enough; the reverse does not follow."""
    report = _asked(0.9, 0.9)
    late = _with(report, reasons=(Reason(code="after_deadline", values={}),))
    assert verdict.verdict_sentence(late, EN).startswith("We cannot tell yet whether this laptop is enough")
    assert verdict.verdict_sentence(_with(report, reasons=()), EN).startswith("This laptop is probably enough")


def test_the_share_said_is_that_of_the_time() -> None:
    """It was "11% on average" beside "may be up to 2.3 times as fast"."""
    [note] = answer(_asked(0.565, 0.0), EN).notes
    assert note.text.startswith("Other programs used 56% of the processor during the tests that this computer's time")


@pytest.mark.parametrize(
    ("tier", "rival_usd", "expected"),
    [
        ("cloud", 91.0, "This laptop is enough; renting costs less, but needs an account."),
        ("single_gpu", 91.0, "This laptop is enough; buying costs less in the end, but is paid at once."),
        ("cloud", 149.5, "This laptop is enough."),  # half a dollar
    ],
)
def test_what_costs_less_than_staying_is_in_the_headline(tier: str, rival_usd: float, expected: str) -> None:
    """It recommended staying, at 150 of electricity, where renting cost 59 less and was quicker: told further down."""
    values: dict[str, float | int | bool | str | None] = {"tier": tier, "rival_usd": rival_usd, "chosen_usd": 150.0}
    trade = Trade(rows=(), reasons=(Reason(code="stay_though_dearer", values=values),))
    assert verdict.verdict_sentence(_with(samples.enough(), trade=trade), EN) == expected


def test_what_costs_less_is_in_the_headline_of_one_who_can_wait() -> None:
    """The worse the own computer was, the less the headline warned: beside 3½ days it no longer said so."""
    values: dict[str, float | int | bool | str | None] = {"tier": "cloud", "rival_usd": 4.62, "chosen_usd": 68.0}
    trade = Trade(rows=(), reasons=(Reason(code="stay_though_dearer", values=values),))
    late = _with(samples.enough(), trade=trade, either=("this_computer", "cloud"))
    said = verdict.verdict_sentence(late, EN)
    assert "if you can wait" in said
    assert said.endswith("; renting costs less, but needs an account.")
