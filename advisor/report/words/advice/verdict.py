"""The answer as a user would say it: the verdict, then how long, how much memory, how much money, how sure."""

import msgspec

from advisor.locale import N_, Language
from advisor.records.base import Interval
from advisor.records.job.advice import HARDWARE_S, Option
from advisor.records.job.asked_job import JOB_PROGRAM
from advisor.records.job.workload import ONCE_RUNS
from advisor.records.results.measured.measurement import Measurement
from advisor.records.results.report import Report
from advisor.report.words import quantities
from advisor.report.words.cases import worked_out_phrase
from advisor.report.words.labels import amount, confidence_phrase, is_laptop, option_confidence, option_title
from advisor.units import MONTH_S, YEAR_S

LONG_S = 1800.0
"""From here on a user asks whether a faster card would help."""

KEPT_RATIO = 0.05
"""Keeping data at a provider is worth a word from a twentieth of what a rent costs."""

LEAST_COIN = 0.01
"""Of a currency: what is less than a hundredth of it is no sum to speak of."""

LIFETIME_S = 73 * YEAR_S
"""What people live on average. Source: WHO, global life expectancy of both sexes, April 2023."""

# Each text for a laptop and for any other computer: a language may need another gender or article for each.
_HERE = {
    "enough": (N_("Your laptop is enough."), N_("Your computer is enough.")),
    "no_help": (
        N_("Your laptop is enough; a graphics card would not help."),
        N_("Your computer is enough; a graphics card would not help."),
    ),
    "no_faster": (
        N_("Your laptop is enough; a faster graphics card alone would not help."),
        N_("Your computer is enough; a faster graphics card alone would not help."),
    ),
    "torch": (
        N_("Your laptop is enough, once PyTorch can use its graphics card."),
        N_("Your computer is enough, once PyTorch can use its graphics card."),
    ),
    "patience": (
        N_("Your laptop is enough, if you can wait {duration}."),
        N_("Your computer is enough, if you can wait {duration}."),
    ),
    "late": (
        N_("Nothing is fast enough; your laptop takes {duration}."),
        N_("Nothing is fast enough; your computer takes {duration}."),
    ),
}

_WITH = {
    "enough": (N_("With these parts it would be enough."), N_("With {device} in this computer it would be enough.")),
    "patience": (
        N_("With these parts it would be enough, if you can wait {duration}."),
        N_("With {device} in this computer it would be enough, if you can wait {duration}."),
    ),
}
"""The answers about a computer that nobody has yet."""


def verdict_sentence(report: Report, language: Language) -> str:
    """Return the answer in one sentence: who, what, nothing else."""
    advice = report.advice
    chosen = chosen_option(report)
    if chosen is None and advice.tier != "cluster":
        return language.gettext("We cannot tell: no time could be predicted for this job.")
    if advice.tier == "this_computer" and chosen is not None:
        return _verdict_here(report, chosen, language)
    return _verdict_elsewhere(report, chosen, language)


def chosen_option(report: Report) -> Option | None:
    """Return the option that was chosen, if one was."""
    return next((option for option in report.advice.options if option.id == report.advice.chosen), None)


def _codes(report: Report) -> set[str]:
    """Return the codes of the reasons, without a missed deadline that nobody asked for."""
    return {
        reason.code
        for reason in report.advice.reasons
        if reason.code != "after_deadline" or "default_deadline_s" not in reason.values
    }


def _is_late(report: Report) -> bool:
    return any(reason.code == "after_deadline" for reason in report.advice.reasons)


def _verdict_here(report: Report, chosen: Option, language: Language) -> str:
    advice, codes = report.advice, _codes(report)
    if "after_deadline" in codes:
        key = "late"
    elif "torch_mismatch" in codes and is_card(chosen):
        key = "torch"
    elif len(advice.either) > 1 or _is_late(report):
        key = "patience"
    elif "classical" in codes and not advice.gpu_would_help:
        key = "no_help"
    elif "input_bound" in codes and advice.gpu_would_help is False and (chosen.run_s or 0.0) > LONG_S:
        key = "no_faster"
    else:
        key = "enough"
    if report.is_simulated and key in _WITH:
        text = _WITH[key][1 if is_card(chosen) else 0]
    else:
        text = _HERE[key][0 if is_laptop(report.machine) else 1]
    duration = "" if chosen.run_s is None else quantities.duration(chosen.run_s, language)
    return language.gettext(text).format(duration=duration, device=option_title(chosen, language))


def outlasts_hardware(option: Option) -> bool:
    """Return whether a run takes longer than any hardware is used: then nothing of it is advised."""
    return (option.run_s or 0.0) > HARDWARE_S


def _verdict_elsewhere(report: Report, chosen: Option | None, language: Language) -> str:
    if any(reason.code == "server_of_own" for reason in report.advice.reasons):
        return language.gettext("You need a server of your own.")
    if chosen is not None and chosen.run_s is not None and outlasts_hardware(chosen):
        text = language.gettext("Nothing does this while its hardware lasts: even {option} would take {duration}.")
        if (chosen.run_s if chosen.interval is None else chosen.interval.low) > LIFETIME_S:
            text = language.gettext("Nothing does this in a lifetime: even {option} would take {duration}.")
        return text.format(option=option_title(chosen, language), duration=quantities.duration(chosen.run_s, language))
    if chosen is not None and chosen.before_s > LIFETIME_S:
        text = language.gettext("Nothing does this in a lifetime: sending the data alone would take {duration}.")
        return text.format(duration=quantities.duration(chosen.before_s, language))
    if chosen is None or (report.advice.tier == "cluster" and not chosen.site_nodes):
        is_own = chosen is None and report.circumstances.data_must_stay
        return (
            language.gettext("You need a cluster of your own.") if is_own else language.gettext("You need a cluster.")
        )
    other = _rival(report)
    if other is not None:
        return _either(chosen, other, language)
    return language.gettext(_elsewhere_text(report, chosen)).format(option=option_title(chosen, language))


_CARD = N_("Get a graphics card: {option}.")


def _elsewhere_text(report: Report, chosen: Option) -> str:
    codes = _codes(report)
    if "over_budget" in codes:
        return N_("Your budget is not enough: the cheapest sensible way is {option}.")
    if "after_deadline" in codes:
        return N_("Nothing is fast enough; the best is {option}.")
    if chosen.site_nodes:
        return N_("Use {option}.")
    if report.advice.tier == "cloud":
        return N_("Rent in the cloud: {option}.")
    if chosen.is_computer:
        return N_("Get another computer: {option}.")
    return N_("Get a computer with a graphics card: {option}.") if chosen.host_usd > 0 else _CARD


def _rival(report: Report) -> Option | None:
    """Return the other option that is as good: the one named among the reasons, or what this computer can do."""
    advice = report.advice
    named = [reason.values.get("option") for reason in advice.reasons if reason.code == "near_tie"]
    here = [option for option in advice.options if option.tier == "this_computer" and option.run_s is not None]
    found = [option for option in advice.options if option.id in named]
    if "this_computer" in advice.either and advice.tier != "this_computer":
        found += sorted(here, key=lambda option: option.run_s or 0.0)[:1]
    return next(iter(found), None)


def _either(chosen: Option, other: Option, language: Language) -> str:
    _ = language.gettext
    names = {option.tier: option_title(option, language) for option in (chosen, other)}
    if other.tier == "this_computer":
        return _("Get help, or be a little patient: {option}, or what you have.").format(option=names[chosen.tier])
    return _("Buy {bought} or rent {rented}: both are good.").format(
        bought=names.get("single_gpu", ""), rented=names.get("cloud", names.get("cluster", ""))
    )


def is_card(option: Option) -> bool:
    """Return whether an option computes on a graphics card or another accelerator."""
    return option.id != "here/cpu"


_TIMES = {
    # place, whether compared: for a training, for any other run
    ("here", False): (N_("One training takes {time}."), N_("One run takes {time}.")),
    ("here", True): (
        N_("One training takes {time} on its graphics card, {other} on the processor alone."),
        N_("One run takes {time} on its graphics card, {other} on the processor alone."),
    ),
    ("several", True): (
        N_("One training takes {time} on its {count} graphics cards together, {other} on the processor alone."),
        N_("One run takes {time} on its {count} graphics cards together, {other} on the processor alone."),
    ),
    ("there", False): (N_("One training takes {time} there."), N_("One run takes {time} there.")),
    ("there", True): (
        N_("One training takes {time} there, instead of {other} here."),
        N_("One run takes {time} there, instead of {other} here."),
    ),
}


def time_sentence(report: Report, language: Language) -> str:
    """Return how long one run takes, with its interval, and how long it takes here where that is another."""
    chosen = chosen_option(report)
    if chosen is None or chosen.run_s is None:
        return language.gettext("How long it takes is not known.")
    place = "here" if chosen.tier == "this_computer" else "there"
    other = None if place == "here" and not is_card(chosen) else _comparison(report, chosen)
    if other is not None and place == "here" and chosen.device_count > 1:
        place = "several"
    text = _TIMES[place, other is not None][0 if report.workload.task == "train" else 1]
    spoken = "" if other is None or other.run_s is None else quantities.duration(other.run_s, language)
    time = _with_interval(chosen, chosen.run_s, language)
    return language.gettext(text).format(time=time, other=spoken, count=language.number(chosen.device_count))


_WAITS_RATIO = 1.1
"""A step that takes so many times as long as its computing waits for its data."""


def measured_sentence(report: Report, language: Language) -> str:
    """Return what was measured of the job itself on this computer; empty where its time rests on something else."""
    option, one = measured_option(report), measured_job(report)
    if option is None or one is None:
        return ""
    batch, step_s = one.case.batch_size, one.median_s
    whole_s = 0.0 if option.prediction is None else option.prediction.time_per_step_s
    text = language.gettext("Your own job was measured here: {rate} samples a second")
    if batch == report.workload.batch_size and whole_s > _WAITS_RATIO * step_s:
        text = language.gettext(
            "Your own job was measured here: {rate} samples a second with the loading of its data, {alone} without"
        )
        step_s = whole_s
    rate, alone = (language.significant(batch / time_s, 3) for time_s in (step_s, one.median_s))
    said = (text.format(rate=rate, alone=alone), worked_out_phrase(one, language))
    return "; ".join(filter(None, said)) + "."


def measured_option(report: Report) -> Option | None:
    """Return the option on this computer whose time is that of the measured job: the chosen one, else the fastest."""
    found = [
        option
        for option in report.advice.options
        if option.tier == "this_computer" and option.run_s is not None and _job_cases(report, option)
    ]
    chosen = chosen_option(report)
    if chosen is not None and chosen.tier == "this_computer" and chosen not in found:
        return None  # what another of its devices was measured at says nothing of the answer
    return chosen if chosen in found else min(found, key=lambda one: one.run_s or 0.0, default=None)


def measured_job(report: Report) -> Measurement | None:
    """Return the measured step of the job that the answer's time here rests on; None where it rests on none."""
    option = measured_option(report)
    if option is None or report.benchmark is None:
        return None
    return next(one for one in report.benchmark.measurements if one.case.id in _job_cases(report, option))


def _job_cases(report: Report, option: Option) -> set[str]:
    """Return the cases that measured the job itself, of those an option's time rests on."""
    prediction = option.prediction
    if report.benchmark is None or prediction is None or prediction.basis != "measured":
        return set()
    measured = {one.case.id for one in report.benchmark.measurements if one.case.program == JOB_PROGRAM}
    return measured & set(prediction.basis_detail)


def _with_interval(option: Option, run_s: float, language: Language) -> str:
    """Return a time with its interval."""
    if option.interval is None:
        return quantities.about(run_s, language)
    return quantities.about_with_range(run_s, option.interval.low, option.interval.high, language)


_OPEN_EPOCHS = {
    # whether trees are grown, whether somebody publishes how many are usual
    (False, True): N_(
        "You did not say how many epochs; this is for {epochs}, the fewest of the usual {low} to {high} ({source}, "
        "{date}). An epoch takes {epoch}; over that whole range a training takes {whole}."
    ),
    (True, True): N_(
        "You did not say how many trees; this is for {epochs}, the fewest of the usual {low} to {high} ({source}, "
        "{date}). A tree takes {epoch}; over that whole range a training takes {whole}."
    ),
    (False, False): N_(
        "You did not say how many epochs, and nobody publishes how many are usual for such a job; this is for "
        "{epochs}, as an example. An epoch takes {epoch}."
    ),
}


def epochs_sentence(report: Report, language: Language) -> str:
    """Return how many epochs are taken where nobody said how many, the time of one, and of the whole usual range."""
    chosen, work, usual = chosen_option(report), report.workload, report.usual_epochs
    if not work.epochs_are_default or work.task != "train" or chosen is None or chosen.run_s is None:
        return ""
    words = {
        "epochs": language.number(work.epochs, 1),
        "epoch": _with_interval(_of_an_epoch(chosen, work.epochs), chosen.run_s / work.epochs, language),
    }
    if usual is not None:
        ends = chosen.interval or Interval(low=chosen.run_s, high=chosen.run_s)
        low_s, high_s = ends.low * usual.low / work.epochs, ends.high * usual.high / work.epochs
        words |= {
            "low": language.number(usual.low),
            "high": language.number(usual.high),
            "source": usual.source.author,
            "date": usual.source.date[:4],
            "whole": quantities.duration_range(low_s, high_s, language),
        }
    text = _OPEN_EPOCHS.get((work.method == "classical", usual is not None), _OPEN_EPOCHS[False, False])
    return language.gettext(text).format(**words)


def _of_an_epoch(option: Option, epochs: float) -> Option:
    ends = option.interval
    shorter = None if ends is None else Interval(low=ends.low / epochs, high=ends.high / epochs)
    return msgspec.structs.replace(option, interval=shorter)


def _comparison(report: Report, chosen: Option) -> Option | None:
    """Return what the time is compared with: the processor alone, or the best this computer can do."""
    here = [
        option
        for option in report.advice.options
        if option.tier == "this_computer"
        and option.run_s is not None
        and option.id != chosen.id
        and option.obstacle != "does_not_fit"
    ]
    if chosen.tier == "this_computer":
        return next((option for option in here if not is_card(option)), None)
    return min(here, key=lambda option: option.run_s or 0.0, default=None)


def memory_sentence(report: Report, language: Language) -> str:
    """Return how much memory the job takes of how much; empty where that is not known."""
    _ = language.gettext
    chosen = chosen_option(report)
    memory = chosen.prediction.memory if chosen is not None and chosen.prediction is not None else None
    if chosen is None or memory is None:
        return ""
    if memory.available_bytes is None:
        return _("It uses {used} of memory.").format(used=quantities.memory(memory.total_bytes, language))
    share = quantities.memory_of(memory.total_bytes, memory.available_bytes, language)
    if not is_card(chosen):
        return _("It uses {share} of main memory.").format(share=share)
    if chosen.device_count > 1:
        return _("It uses {share} of graphics memory on each card.").format(share=share)
    text = _("It uses {share} of graphics memory.").format(share=share)
    least = _least_card_bytes(report)
    if chosen.tier == "this_computer" or least is None:
        return text
    least_text = _("The smallest single card that does it has {size}.")
    if least < memory.total_bytes:
        least_text = _("The smallest single card that does it, each step in parts, has {size}.")
    return f"{text} {least_text.format(size=quantities.memory(least, language))}"


def _least_card_bytes(report: Report) -> float | None:
    """Return the memory of the smallest single card that does the job, in parts if need be; None where none does."""
    memories = (
        option.prediction.memory
        for option in report.advice.options
        if option.prediction is not None and is_card(option) and option.device_count * option.prediction.shards == 1
    )
    holding = [one for one in memories if one is not None and one.fits]
    return min((one.available_bytes for one in holding if one.available_bytes is not None), default=None)


def money_sentence(report: Report, language: Language) -> str:
    """Return what the answer costs."""
    _ = language.gettext
    chosen = chosen_option(report)
    if chosen is not None and chosen.tier == "this_computer" and chosen.run_usd is None:
        return _(
            "It costs nothing but electricity; how much of it is not known, for nobody says what {device} draws."
        ).format(device=option_title(chosen, language))
    if chosen is not None and outlasts_hardware(chosen) and chosen.tier != "this_computer":
        return ""  # nobody is advised to pay for it
    if chosen is None or chosen.run_usd is None:
        return _("What it costs is not known.")
    return _money(chosen, chosen.run_usd, report, language)


def _money(chosen: Option, run_usd: float, report: Report, language: Language) -> str:
    _ = language.gettext
    run = amount(run_usd, report, language)
    if chosen.tier == "this_computer":
        price_usd = _price_of_pretended(report, chosen)
        if price_usd is None and run_usd == 0:
            return _("It costs nothing: you pay nothing for electricity.")
        if price_usd is None:
            return _("It costs nothing but electricity: {amount} a run.").format(amount=run)
        text = _("The card itself costs about {price}; then it costs {amount} of electricity a run.")
        return text.format(price=amount(price_usd, report, language), amount=run)
    if chosen.purchase_usd <= 0:
        return _rent(chosen, run_usd, report, language)
    price = amount(chosen.purchase_usd, report, language)
    text = _("It costs {price} once, and {amount} of electricity a run.").format(price=price, amount=run)
    if chosen.host_usd > 0:
        host = amount(chosen.host_usd, report, language)
        text += " " + _("{host} of that are for a computer to put the card in.").format(host=host)
    return text


def _price_of_pretended(report: Report, chosen: Option) -> float | None:
    """Return what the card costs that this computer was said to have; None where it has it, or nobody sells it."""
    is_pretended = report.is_simulated and any(card.is_overridden for card in report.machine.accelerators)
    if not is_pretended or not is_card(chosen) or chosen.device_count != 1:
        return None
    sold = (one for one in report.advice.options if one.tier == "single_gpu" and one.title == chosen.title)
    return next((one.purchase_usd - one.host_usd for one in sold if one.device_count == 1), None)


def _rent(chosen: Option, run_usd: float, report: Report, language: Language) -> str:
    """Return what a rent costs, and how much of that keeps the data at the provider."""
    _ = language.gettext
    asked = report.circumstances
    runs, total_usd = asked.runs_per_month * asked.horizon_months, chosen.horizon_usd
    run = amount(run_usd, report, language)
    if total_usd is None or (chosen.run_s or 0.0) > asked.horizon_months * MONTH_S:
        return _("It costs {amount}.").format(amount=run)
    total = amount(total_usd, report, language)
    months = quantities.months(asked.horizon_months, language)
    text = _("It costs {amount} a run, {total} in {months}.").format(amount=run, total=total, months=months)
    if runs < ONCE_RUNS:
        text = _("It costs {amount}.").format(amount=total)
    aside = (
        ("storage", _("{amount} of that keep your data there, by the day.")),
        ("failed_tries", _("{amount} of that are for tries that fail.")),
    )
    for kind, said in aside:
        usd = sum(part.usd(runs) for part in chosen.cost_parts if part.kind == kind)
        if usd >= KEPT_RATIO * total_usd and usd * report.currency_per_usd >= LEAST_COIN:
            text += " " + said.format(amount=amount(usd, report, language))
    return text


BACK_S = 600.0
"""Fetching a result for longer than this is worth a word."""


def start_sentence(report: Report, language: Language) -> str:
    """Return what passes before and after a run that is rented or queues; empty where nothing worth a word does."""
    chosen = chosen_option(report)
    if chosen is not None and chosen.site_nodes:
        return _queue_sentence(chosen, language)
    if chosen is None or chosen.before_s <= 0 or chosen.offer is None:
        return ""
    _, asked = language.gettext, report.circumstances
    before = quantities.duration(chosen.before_s, language)
    text = _(
        "Before a run, about {before} pass until the machine is there and has your data ({size}, over an ordinary "
        "line)."
    )
    if asked.upload_bytes_per_s is not None:
        text = _(
            "Before a run, about {before} pass until the machine is there and has your data ({size}, over your line)."
        )
    if chosen.sent_bytes <= 0:
        text = _(
            "Before a run, about {before} pass until the machine is there; how long your data take is not known, for "
            "their size is not."
        )
    said = [text.format(before=before, size=quantities.memory(chosen.sent_bytes, language))]
    if chosen.after_s >= BACK_S:
        text = _("After it, fetching the result takes about {after}.")
        said.append(text.format(after=quantities.duration(chosen.after_s, language)))
    deadline_s, run_s = asked.deadline_s, chosen.run_s or 0.0
    until_done_s = chosen.before_s + run_s + chosen.after_s
    if deadline_s is not None and run_s <= deadline_s < until_done_s:
        text = _("With that, it is done after {duration}, later than the {deadline} you allow.")
        duration, deadline = (quantities.duration(time_s, language) for time_s in (until_done_s, deadline_s))
        said.append(text.format(duration=duration, deadline=deadline))
    return " ".join(said)


def _queue_sentence(chosen: Option, language: Language) -> str:
    """Return how long one waits for the site's cluster, and in how many jobs a run is done there."""
    _, before = language.gettext, quantities.duration(chosen.before_s, language)
    if chosen.site_jobs == 1:
        return _("Before a run, about {before} pass in the queue.").format(before=before) if chosen.before_s else ""
    text = _(
        "Your cluster ends a job before a run is done: it takes {n} jobs, each of which goes on from what the one "
        "before has saved."
    ).format(n=language.number(chosen.site_jobs))
    waits = _("In the queue pass about {before} in all.").format(before=before)
    return f"{text} {waits}" if chosen.before_s else text


def confidence_sentence(report: Report, language: Language) -> str:
    """Return how sure the time of the answer is."""
    chosen, confidence = chosen_option(report), report.advice.confidence
    word = confidence_phrase(confidence, language)
    if chosen is not None:
        word = option_confidence(chosen, confidence, language)
    return language.gettext("How sure: {confidence}").format(confidence=word)
