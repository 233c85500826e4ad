"""The answer in both languages."""

from typing import Any

import msgspec
import pytest

from advisor.catalog import preset
from advisor.gui.models.options.beside_pick import why_best
from advisor.gui.models.verdict import KINDS, effect_sentence, pretence_sentence, verdict_view
from advisor.locale import language
from advisor.options.what_if import exchange_parts
from advisor.records.base import Interval, Precision
from advisor.records.job.advice import Reason
from advisor.records.job.changes import JobChange, JobChanges
from advisor.records.job.prediction import CostPart
from advisor.records.job.workload import Circumstances
from advisor.records.request import Observation, observation_of
from advisor.records.results.diagnosis import Finding, Reading
from advisor.records.results.own_computer import best_here
from advisor.records.results.report import Report
from advisor.report.content.blocks import Bullets
from advisor.report.content.job_changes import free_remedies
from advisor.report.content.options.best import best_options
from advisor.report.content.options.option_rows import option_row
from advisor.report.content.options.trade import other_sentences, twice_sentences
from advisor.report.content.sections import diagnosis
from advisor.report.words import quantities
from advisor.report.words.advice.verdict import verdict_sentence
from advisor.report.words.labels import amount
from advisor.report.words.quantities import duration
from advisor.session.forecast import conclude
from tests.gui.samples import sample_report
from tests.unit.gui.plain import plain
from tests.unit.report import samples

EN, ES = language("en"), language("es")


def test_the_answer_in_both_languages() -> None:
    """All parts of the answer have words in both languages, and they differ."""
    english, spanish = verdict_view(sample_report(), EN), verdict_view(sample_report(), ES)

    assert english.answer.headline.text == "This laptop is enough."
    assert spanish.answer.headline.text == "Este equipo portátil basta."
    assert english.kind == spanish.kind == "here"
    assert [chip.kind for chip in english.chips] == ["here", "buy", "rent"]
    assert english.chips[0].is_chosen
    assert english.answer.reasons != spanish.answer.reasons


def test_a_change_is_said_with_what_it_did() -> None:
    """Time here and cost of the pick, with their difference; nothing where the computer is another one."""
    before = samples.enough()
    here = next(one for one in before.advice.options if one.tier == "this_computer")
    slower = msgspec.structs.replace(here, run_s=(here.run_s or 0.0) + 7200.0)
    options = tuple(slower if one.id == here.id else one for one in before.advice.options)
    after = msgspec.structs.replace(before, advice=msgspec.structs.replace(before.advice, options=options))

    was, now = (plain(duration(one.run_s or 0.0, EN)) for one in (here, slower))
    assert f"{now} a run on this computer instead of {was}" in plain(effect_sentence(before, after, EN))
    assert f"{was} a run on this computer instead of {now}" in plain(effect_sentence(after, before, EN))
    slightly = msgspec.structs.replace(here, run_s=1.02 * (here.run_s or 0.0))
    options = tuple(slightly if one.id == here.id else one for one in before.advice.options)
    alike = msgspec.structs.replace(before, advice=msgspec.structs.replace(before.advice, options=options))
    assert f"{was} a run on this computer (+" in plain(effect_sentence(before, alike, EN))
    asked = msgspec.structs.replace(before.workload, precision="amp")
    full = JobChange(code="fp32", memory_bytes=1e9, fits=True, run_s=60.0, interval=Interval(low=50.0, high=70.0),
                     effect="hardly")  # fmt: skip
    changes = JobChanges(option=here.id, whole_bytes=1e9, available_bytes=None, run_s=9e3, fits=True, changes=(full,))
    mixed = msgspec.structs.replace(after, workload=asked, changes=changes)
    assert "computes 32 bits faster than 16" in effect_sentence(before, mixed, EN)
    assert "computes 32 bits faster than 16" not in effect_sentence(mixed, mixed, EN)
    assert effect_sentence(before, before, EN) == "This change makes no difference to time or cost."
    assert effect_sentence(samples.rent(), before, EN) == ""
    other = next(one for one in before.advice.options if one.tier == "cloud")
    options = tuple(msgspec.structs.replace(one, obstacle=None) for one in before.advice.options)
    elsewhere = msgspec.structs.replace(
        before, advice=msgspec.structs.replace(before.advice, options=options, chosen=other.id)
    )
    assert "we now recommend " in plain(effect_sentence(before, elsewhere, EN)), "else a cost is compared"


def _asked(**asked: Any) -> Report:
    seen = Observation(machine=samples.laptop(card=False), benchmark=samples.benchmark(card=False))
    return conclude(seen, samples.ARTICLE_CNN, Circumstances(data_must_stay=True, **asked))


def test_what_is_beyond_the_budget_says_so_and_what_is_within_it() -> None:
    """A card of $18,000 was the answer to a budget of $300, and neither headline nor card said a word."""
    report = _asked(deadline_s=60.0, budget_usd=300.0)
    view = verdict_view(report, EN)
    headline = plain(view.answer.headline.text)
    assert headline.startswith("Nothing ends within 1 minute. Beyond your budget, ")
    assert " comes closest: " in headline
    assert headline.count(".") == 2, "six lines in Spanish: what the budget gets is said below"
    here = next(one for one in report.advice.options if one.tier == "this_computer")
    assert view.chips[0].is_chosen
    assert view.chips[0].cost.endswith(" once (before tax), beyond your budget")
    assert not any("beyond your budget" in chip.cost for chip in view.chips if chip.kind == "here")
    reason = plain(view.answer.reasons[0].text)
    within = f"the quickest within that is this computer: {plain(duration(here.run_s or 0.0, EN))}."
    assert reason.endswith(f"beyond your budget of $300; {within}")
    enough = verdict_view(_asked(budget_usd=300.0), EN)
    assert "beyond your budget" not in " ".join(chip.cost for chip in enough.chips if chip.is_chosen)


def test_what_only_comes_closest_is_not_recommended_after_a_change() -> None:
    """A note of "now we recommend" stood beside a headline that says nothing ends in time."""
    easy, hard = _asked(deadline_s=300_000.0), _asked(deadline_s=60.0, budget_usd=300.0)
    said = plain(effect_sentence(easy, hard, EN))
    assert " now comes closest; " in said
    assert " for what comes closest (+\N{WORD JOINER}$" in said
    assert "recommend" not in said
    back = plain(effect_sentence(hard, easy, EN))
    assert back.startswith("After this change: we now recommend ")
    assert "instead" not in back


def test_a_card_that_is_only_thought_of_has_its_price_beside_what_it_changes() -> None:
    """Eleven cents in 2 years stood under a card of 1,000 dollars, as our pick."""
    own = conclude(Observation(machine=samples.laptop(card=False)), preset("article_cnn").workload, Circumstances())
    sold = next(one for one in own.advice.options if one.tier == "single_gpu" and one.device_count == 1)
    added = msgspec.structs.replace(samples.laptop().accelerators[0], name=sold.id.removeprefix("buy/"))
    added = msgspec.structs.replace(added, is_overridden=True)
    machine = msgspec.structs.replace(own.machine, accelerators=(added,))
    then = conclude(Observation(machine=machine, is_simulated=True), own.workload, Circumstances())
    said = pretence_sentence(own, then, EN)
    price = plain(amount(sold.purchase_usd - sold.host_usd, own, EN))
    whole = plain(amount(sold.purchase_usd, own, EN))
    assert sold.host_usd > 0, "a laptop takes no card"
    counted = f"“This computer” counts the card as bought already: about {price}, or {whole} with a new PC."
    assert counted in plain(said)
    assert "leave out the card" not in pretence_sentence(own, own, EN)
    [here] = [chip for chip in verdict_view(then, EN).chips if chip.is_chosen]
    assert plain(here.total).endswith(f"in 2 years, plus about {price} for the card")
    assert plain(dict(here.total_origin.inputs)["The card, which is not counted"]) == price
    assert list(twice_sentences(own, EN))
    quicker = msgspec.structs.replace(then.advice, trade=own.advice.trade)  # as if something were
    asked = msgspec.structs.replace(then, advice=quicker)
    [twice] = twice_sentences(asked, EN)
    assert twice.text.startswith("The cheapest dependable choice that is probably at least twice as fast: ")
    for text in (twice.text, *(one.text for one in other_sentences(asked, EN))):
        assert " more" not in text, "compared with cents"
        assert "instead of $" not in plain(text), "compared with cents"


def test_nobody_closes_programs_on_a_computer_that_is_only_thought_of() -> None:
    """What was found while measuring this computer is done on it alone; other steps stay."""
    known: dict[str, Any] = {"device": "cpu", "severity": "moderate", "evidence": ()}
    found = [
        Finding(kind="other_load", remedies=("close_programs",), **known),
        Finding(kind="unstable", remedies=("measure_again",), **known),
        Finding(kind="on_battery", remedies=("plug_in",), **known),
    ]
    for one, is_left in zip(found, (False, False, True), strict=True):
        report = msgspec.structs.replace(samples.slowed(0.15, 0.15), findings=(one,))
        assert verdict_view(report, EN).steps
        pretended = msgspec.structs.replace(report, is_simulated=True)
        assert bool(verdict_view(pretended, EN).steps) is is_left


def test_no_sum_is_said_of_more_runs_than_a_computer_ends() -> None:
    """Ninety-six runs of months each do not cost "9,190 in 2 years": they are never done."""
    report = samples.enough()
    for runs, is_said in ((1.0, True), (1e6, False)):
        asked = msgspec.structs.replace(report.circumstances, runs_per_month=runs)
        chips = verdict_view(msgspec.structs.replace(report, circumstances=asked), language("en")).chips
        assert bool(next(chip for chip in chips if chip.kind == "here").total) is is_said


def test_beside_a_computer_that_is_enough_stand_the_first_of_the_list() -> None:
    """What saves half a minute at a price of two cards is no alternative to name; the list of options says the same."""
    sample = sample_report()
    job = preset(sample.workload.id)
    report = conclude(Observation(machine=sample.machine, benchmark=sample.benchmark), job.workload, job.circumstances)
    shown = {one.tier: one.id for one in best_options(report)}

    assert report.advice.tier == "this_computer"
    for tier in ("single_gpu", "cloud"):
        first = next(one for one in report.advice.options if one.tier == tier and one.feasible and one.run_s)
        assert shown[tier] == first.id


def test_times_side_by_side_are_shares_of_the_longest() -> None:
    """Renting looked twice as fast as buying: its bar left out the 12 minutes of start, which are longer than the run.

    Before that a run of 4½ minutes had the longest bar: what its figure says is drawn apart from the start.
    """
    report = samples.enough()
    waits = msgspec.structs.replace(
        report.advice,
        options=tuple(
            msgspec.structs.replace(one, before_s=72_000.0) if one.tier == "cloud" else one
            for one in report.advice.options
        ),
    )
    asked = msgspec.structs.replace(report, advice=waits)
    chips = verdict_view(asked, EN).chips
    runs_s = {one.tier: one.run_s or 0.0 for one in best_options(asked)}
    longest_s = 72_000.0 + runs_s["cloud"]
    assert longest_s > max(runs_s.values())
    shares = {chip.kind: (chip.share, chip.start_share) for chip in chips}
    assert shares["here"] == (runs_s["this_computer"] / longest_s, 0.0)
    assert shares["buy"] == (runs_s["single_gpu"] / longest_s, 0.0)
    assert shares["rent"] == (runs_s["cloud"] / longest_s, 72_000.0 / longest_s)
    [rent] = [chip for chip in chips if chip.kind == "rent"]
    run = duration(runs_s["cloud"], EN)
    assert (rent.time, plain(rent.held)) == (duration(longest_s, EN), f"{run} + 20 hours until it starts")
    assert rent.time_origin.value == rent.time


def test_a_sum_with_storage_says_so() -> None:
    """Runs times the price of a run is less than the sum beside it where storage is paid: the card says why."""
    report = samples.enough()
    part = CostPart(kind="storage", fixed_usd=0.21)
    stored = msgspec.structs.replace(
        report.advice,
        options=tuple(
            msgspec.structs.replace(one, cost_parts=(*one.cost_parts, part)) if one.tier == "cloud" else one
            for one in report.advice.options
        ),
    )
    for advice, is_said in ((report.advice, False), (stored, True)):
        chips = verdict_view(msgspec.structs.replace(report, advice=advice), EN).chips
        assert next(chip for chip in chips if chip.kind == "rent").total.endswith("with storage") is is_said


def test_what_cannot_do_the_job_says_why_instead_of_dashes() -> None:
    """A card of a computer showed a dash, a full bar and another dash."""
    report = samples.rent()
    lack = {"needed_bytes": 900e9, "available_bytes": 24e9}
    options = tuple(
        msgspec.structs.replace(one, obstacle="does_not_fit", obstacle_values=lack, feasible=False)
        if one.tier == "this_computer"
        else one
        for one in report.advice.options
    )
    report = msgspec.structs.replace(report, advice=msgspec.structs.replace(report.advice, options=options))
    chips = verdict_view(report, EN).chips
    chip = next(one for one in chips if one.kind == "here")
    assert max(one.share for one in chips) == 1.0, "no bar is short beside a time that is not shown"
    assert (chip.time, chip.cost, chip.total) == ("", "", "")
    assert plain(chip.held) == "does not fit: takes 838 GB, has 22 GB"


def _slowed() -> Report:
    """Return the answer for a computer without a card that other programs slowed, as if by a crowded check."""
    report = samples.slowed(0.565, 0.0)
    closing = next(one for one in report.findings if one.remedies == ("close_programs",))
    again = Finding(kind="unstable", device="cpu", severity="serious", evidence=(), remedies=("measure_again",))
    return msgspec.structs.replace(report, findings=(closing, again))


def test_each_thing_is_said_once_on_the_page() -> None:
    """Four hours stood there four times, and that others be closed four times."""
    view = verdict_view(_slowed(), EN)
    assert "Close other programs first" in view.answer.twice[0].text
    assert len(view.steps) == 1
    assert not any("lose other programs" in step.text for step in view.steps)
    [here] = [chip for chip in view.chips if chip.is_chosen]
    assert here.cost.endswith("of electricity a run")
    assert not any("electricity" in one.text for one in view.needs)
    assert "there is nothing to buy" in " ".join(one.text for one in view.answer.reasons)
    assert "there is nothing to buy" not in " ".join(one.text for one in view.answer.beside_facts)
    [rent] = [chip for chip in view.chips if chip.kind == "rent"]
    assert rent.title in view.answer.twice[-1].text
    assert rent.time not in view.answer.twice[-1].text


@pytest.mark.parametrize(("others_ratio", "is_said"), [(0.0, False), (0.02, False), (0.14, True), (0.6, True)])
def test_who_disturbed_the_check_but_not_the_job_is_told_to_leave_without_a_gain(
    others_ratio: float, is_said: bool
) -> None:
    """The answer of a check of which others had 14 % did not tell to close them, for the job's test was quiet."""
    steps = verdict_view(samples.slowed(0.0, others_ratio), EN).steps
    told = [one.text for one in steps if "lose other programs" in one.text]
    said = "Close other programs while you train. Your job itself was timed while they were quiet."
    assert told == ([said] if is_said else [])


@pytest.mark.parametrize("job_ratio", [0.2, 0.6])
def test_closing_programs_gains_what_they_took_of_this_job(job_ratio: float) -> None:
    """It was "up to 4.2 times as fast" by what they took of other tests, and not what the range beside it ends at."""
    report = samples.slowed(job_ratio, 0.9)
    here = best_here(report)
    assert here is not None
    assert here.run_s is not None
    assert here.interval is not None
    low_s, _high_s = quantities.spoken_ends(here.run_s, here.interval.low, here.interval.high, EN)
    said = f"may then take less, though hardly below {quantities.duration(low_s, EN)}."
    view = verdict_view(report, EN)
    both = [*((one.text, one.origin) for one in view.steps), *view.answer.twice]
    told = [(text, origin) for text, origin in both if "lose other programs" in text]
    assert len(told) == 1
    assert all(said in text and origin is not None and dict(origin.inputs)["At most"] for text, origin in told)


def test_a_free_remedy_comes_after_what_is_twice_as_fast() -> None:
    """It stood under Next alone, then first: 1.7 times is not the answer to what twice the speed costs."""
    gain = Interval(low=1.0, high=1.7, coverage_ratio=0.8)
    kept = Finding(
        kind="page_faults", device="cpu", severity="moderate", evidence=(), gain=gain, remedies=("keep_freed_memory",)
    )
    report = msgspec.structs.replace(_slowed(), findings=(kept,))
    said = "Free, with one line: let PyTorch keep its memory between steps. Could be up to about 1.7 times as fast."
    told = verdict_view(report, EN).answer.twice
    assert len(told) > 1
    assert told[-1].text == said
    known: dict[str, Any] = {"memory_bytes": 1e9, "run_s": 60.0, "interval": None, "fits": True}
    smaller = JobChange(code="image_size", value=96, effect="other", **known)
    changes = JobChanges(
        option="here/cpu", fits=True, whole_bytes=2e9, available_bytes=None, run_s=600.0, changes=(smaller,)
    )
    listed = verdict_view(msgspec.structs.replace(report, changes=changes), EN).job_changes
    assert listed[1].text == said


def test_what_speeds_the_processor_up_is_no_remedy_of_a_run_on_the_card() -> None:
    """A card that was only thought of was promised 1.7 times the speed by what PyTorch keeps on the processor."""
    gain = Interval(low=1.0, high=1.7, coverage_ratio=0.8)
    kept = Finding(
        kind="page_faults", device="cpu", severity="moderate", evidence=(), gain=gain, remedies=("keep_freed_memory",)
    )
    report = msgspec.structs.replace(_slowed(), findings=(kept,))
    options = tuple(
        msgspec.structs.replace(one, id="here/card") if one.id == report.advice.chosen else one
        for one in report.advice.options
    )
    on_card = msgspec.structs.replace(
        report, advice=msgspec.structs.replace(report.advice, options=options, chosen="here/card")
    )
    assert list(free_remedies(report, EN))
    assert not list(free_remedies(on_card, EN))


@pytest.mark.parametrize("network", ["article_cnn", "bert_base"])
def test_a_line_that_helps_another_network_is_not_promised_to_the_job(network: str) -> None:
    """A check always times the article's network as well: what its step gains stood in the answer of any other job."""
    gain = Interval(low=1.0, high=1.7, coverage_ratio=0.8)
    kept = Finding(
        kind="page_faults", form="counted", device="cpu", network=network, severity="moderate", gain=gain,
        evidence=(Reading(name="batch", value=32.0, source="train"),), remedies=("keep_freed_memory",),
    )  # fmt: skip
    report = msgspec.structs.replace(_slowed(), findings=(kept,))
    is_of_job = network == report.workload.network
    assert bool(list(free_remedies(report, EN))) is is_of_job
    steps = verdict_view(report, EN).steps
    assert any("MALLOC_MMAP_MAX_" in step.command for step in steps) is is_of_job


def test_the_range_of_a_rough_time_stands_once_at_the_top() -> None:
    """Chip and sentence said it beside each other."""
    said = verdict_view(_slowed(), EN).answer
    assert said.confidence.text == "How sure: rough (more than ±30%)"
    assert "best guess" in said.facts[0].text


def test_closing_programs_gains_nothing_of_a_time_they_did_not_touch() -> None:
    """It said "up to 6.7 times as fast" beside a time that its specifications make likely."""
    report = samples.slowed(0.9, 0.9)
    view = verdict_view(report, EN)
    assert "its specifications make likely" in " ".join(note.text for note in view.answer.notes)
    said = [one.text for one in (*view.answer.twice, *view.job_changes, *view.answer.others)]
    assert not [text for text in (*said, *(step.text for step in view.steps)) if "lose other programs" in text]


def test_a_time_that_is_not_to_be_trusted_says_so_beside_the_others() -> None:
    """The bar of this computer stood as sure beside those of cards."""
    for share, held in ((0.9, "as far as we can tell"), (0.2, "")):
        [here] = [chip for chip in verdict_view(samples.slowed(share, share), EN).chips if chip.kind == "here"]
        assert here.held == held


def test_how_to_be_faster_here_begins_with_what_costs_nothing() -> None:
    """Under that title stood smaller pictures alone, where other programs were what slowed it."""
    slowed = _slowed()
    known: dict[str, Any] = {"memory_bytes": 1e9, "run_s": 60.0, "interval": None, "fits": True}
    smaller = JobChange(code="image_size", value=96, effect="other", **known)
    changes = JobChanges(
        option="here/cpu", fits=True, whole_bytes=2e9, available_bytes=None, run_s=600.0, changes=(smaller,)
    )
    said = verdict_view(msgspec.structs.replace(slowed, changes=changes), EN).job_changes
    assert [one.text.startswith("Close other programs first") for one in said] == [False, True, False]


def test_other_parts_are_not_weighed_against_a_disturbed_check() -> None:
    """It was told for sure that the computer is enough, where the answer was not sure."""
    said = [pretence_sentence(own, own, EN) for own in (samples.slowed(0.9, 0.9), samples.slowed(0.2, 0.2))]
    assert said[0] == (
        "What these parts change will be known after a check without other programs. "
        "As it is, your computer is probably enough."
    )
    assert said[1].endswith("these parts change nothing.")


def test_the_time_with_a_card_is_told_beside_a_disturbed_check() -> None:
    """That nothing can be told stood directly above "14 minutes" with that card."""
    own = samples.slowed(0.9, 0.9)
    with_card = conclude(exchange_parts(observation_of(own), "RTX 5090"), own.workload, own.circumstances)
    then_s = min(one.run_s or 0.0 for one in with_card.advice.options if one.is_card and one.tier == "this_computer")
    said = pretence_sentence(own, with_card, EN)
    assert said.startswith(f"A run takes {duration(then_s, EN)} (")
    assert ") with these parts. How much time they save will" in said
    assert "What these parts change" not in said


def test_the_options_begin_with_the_same_doubt() -> None:
    """It was told for sure that there is nothing to buy, where the answer was not sure."""
    doubted, sure = (why_best(samples.slowed(share, share), EN) for share in (0.9, 0.2))
    assert "there is probably nothing to buy" in doubted
    assert "so there is nothing to buy" in sure


def test_measuring_again_is_said_once() -> None:
    """It stood below "Close them, and check again" too."""
    again = Finding(kind="unstable", device="cpu", severity="moderate", evidence=(), remedies=("measure_again",))
    report = msgspec.structs.replace(samples.slowed(0.15, 0.15), findings=(again,))
    assert verdict_view(report, EN).steps
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("advisor.gui.models.verdict.is_untrusted", lambda _report: True)
        assert not verdict_view(report, EN).steps


def test_measuring_again_is_no_step_where_the_job_was_measured_in_quiet() -> None:
    """Others took 15 and 51% of two other tests, and nothing of those that the time rests on."""
    again = Finding(kind="unstable", device="cpu", severity="serious", evidence=(), remedies=("measure_again",))
    quiet, beside = (msgspec.structs.replace(samples.slowed(share, 0.3), findings=(again,)) for share in (0.0, 0.15))
    assert not verdict_view(quiet, EN).steps
    assert verdict_view(beside, EN).steps


def test_measuring_again_is_no_step_after_a_quiet_check() -> None:
    """The pace of a virtual machine changed while nobody disturbed it: measuring again would show the same."""
    again = Finding(kind="unstable", device="cpu", severity="slight", evidence=(), remedies=("measure_again",))
    quiet, disturbed = (
        msgspec.structs.replace(samples.slowed(ratio, ratio), findings=(again,)) for ratio in (0.0, 0.2)
    )
    for report, is_said in ((quiet, False), (disturbed, True)):
        assert bool(verdict_view(report, EN).steps) is is_said
        told = diagnosis(report, EN).blocks[0]
        assert isinstance(told, Bullets)
        for text in ("Measure again while nothing else runs.", "This makes the estimate more certain"):
            assert (text in told.items[0].text) is is_said


def test_a_changed_verdict_is_named_after_a_change() -> None:
    """A deadline made the answer unsure, and the note said that it makes no difference."""
    before = samples.enough()
    tight = Reason(code="tight_deadline", values={"deadline_s": 3600.0, "high_s": 7200.0})
    after = msgspec.structs.replace(
        before, advice=msgspec.structs.replace(before.advice, reasons=(tight, *before.advice.reasons))
    )
    verdict = verdict_sentence(after, EN)
    assert verdict != verdict_sentence(before, EN)
    assert effect_sentence(before, after, EN) == f"The answer is now: “{verdict}” Time and cost stay as they are."


def test_every_time_has_its_range_beside_it() -> None:
    """A card to buy took "2½ minutes" in the window and "2 to 11 minutes" in the report."""
    report = samples.enough()
    options = {one.tier: one for one in best_options(report)}
    for chip in verdict_view(report, EN).chips:
        option = next(one for one in options.values() if KINDS[one.tier] == chip.kind)
        assert chip.between == option_row(option, report, EN).interval
    assert any(chip.between for chip in verdict_view(report, EN).chips)


def test_a_card_in_a_new_computer_is_said_to_wait_for_its_processor() -> None:
    """Cards of three times the price took as long as the cheapest, and nothing on the page said why."""
    report = samples.enough()
    buy = next(one for one in best_options(report) if one.tier == "single_gpu")
    assert buy.prediction is not None
    for limit, is_waiting in (("input", True), ("compute", False)):
        prediction = msgspec.structs.replace(buy.prediction, limit=limit)
        changed = msgspec.structs.replace(buy, prediction=prediction, host_usd=640.0)
        options = tuple(changed if one.id == buy.id else one for one in report.advice.options)
        asked = msgspec.structs.replace(report, advice=msgspec.structs.replace(report.advice, options=options))
        [chip] = [chip for chip in verdict_view(asked, EN).chips if chip.kind == "buy"]
        assert chip.held.startswith("in a new PC")
        assert chip.held.endswith("; its processor is the slow part") == is_waiting


def test_what_the_usual_epochs_take_stands_below_the_time_that_fewer_take() -> None:
    """It stood under Why alone, after memory and money; the example's five epochs are half of what is usual."""
    view = verdict_view(_asked(), EN)
    [few] = view.epochs
    assert plain(few.text).startswith("With the 10 to 25 epochs that are usual ")
    assert few not in view.needs
    report = _asked()
    usual = msgspec.structs.replace(report, workload=msgspec.structs.replace(report.workload, epochs=10.0))
    assert verdict_view(usual, EN).epochs == ()


@pytest.mark.parametrize(("precision", "is_told"), [("fp32", True), ("amp", False)])
def test_a_line_that_helps_in_one_format_is_not_promised_to_another(precision: Precision, is_told: bool) -> None:
    """Mixed precision had never been tested there: "your earlier check of this job found that" was of 32 bit."""
    gain = Interval(low=1.0, high=1.7, coverage_ratio=0.8)
    report = _slowed()
    kept = Finding(
        kind="page_faults",
        device="cpu",
        network=report.workload.network,
        severity="moderate",
        evidence=(),
        gain=gain,
        remedies=("keep_freed_memory",),
    )
    work = msgspec.structs.replace(report.workload, precision=precision)
    told = verdict_view(msgspec.structs.replace(report, findings=(kept,), workload=work), EN).answer.twice
    assert any(one.text.startswith("Free, with one line") for one in told) is is_told
