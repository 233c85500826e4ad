"""The answer in one sentence, as a user would say it: the verdict, and how sure it is."""

from advisor.locale import N_, Language
from advisor.records.job.advice import HARDWARE_S, Option
from advisor.records.job.prediction import confidence_of
from advisor.records.results.own_computer import best_here, falls_short, is_untrusted
from advisor.records.results.report import Report
from advisor.report.words import quantities
from advisor.report.words.advice.reasons import is_little
from advisor.report.words.labels import confidence_phrase, is_laptop, option_sureness, option_title, with_article
from advisor.units import YEAR_S

LONG_S = 1800.0
"""From here on a user asks whether a faster card would help."""

LIFETIME_S = 73 * YEAR_S
"""What people live on average. Source: WHO, global life expectancy of both sexes, April 2023."""

# Each text for a laptop and for any other computer: a language may need another gender or article for each.
_HERE = {
    "enough": (N_("This laptop is enough."), N_("This computer is enough.")),
    "no_help": (
        N_("This laptop is enough; no graphics card is needed."),
        N_("This computer is enough; no graphics card is needed."),
    ),
    "no_faster": (
        N_("This laptop is enough; a faster graphics card alone would not help."),
        N_("This computer is enough; a faster graphics card alone would not help."),
    ),
    "tight": (
        N_("This laptop is probably fast enough, but that is not sure."),
        N_("This computer is probably fast enough, but that is not sure."),
    ),
    "torch": (
        N_("This laptop is enough, once PyTorch can use its graphics card."),
        N_("This computer is enough, once PyTorch can use its graphics card."),
    ),
    "patience": (
        N_("This laptop is enough, if you can wait {duration}."),
        N_("This computer is enough, if you can wait {duration}."),
    ),
    "enough/cloud": (
        N_("This laptop is enough; renting costs less, but needs an account."),
        N_("This computer is enough; renting costs less, but needs an account."),
    ),
    "enough/single_gpu": (
        N_("This laptop is enough; buying costs less in the end, but is paid at once."),
        N_("This computer is enough; buying costs less in the end, but is paid at once."),
    ),
    "patience/cloud": (
        N_("This laptop is enough, if you can wait {duration}; renting costs less, but needs an account."),
        N_("This computer is enough, if you can wait {duration}; renting costs less, but needs an account."),
    ),
    "patience/single_gpu": (
        N_("This laptop is enough, if you can wait {duration}; buying costs less in the end, but is paid at once."),
        N_("This computer is enough, if you can wait {duration}; buying costs less in the end, but is paid at once."),
    ),
    "late": (
        N_("Nothing is fast enough; this laptop takes {duration}."),
        N_("Nothing is fast enough; this computer takes {duration}."),
    ),
}

_DOUBTED = {
    "enough": (
        N_("This laptop is probably enough; close other programs and check again."),
        N_("This computer is probably enough; close other programs and check again."),
    ),
    "late": (
        N_("We cannot tell yet whether this laptop is enough: close other programs and check again."),
        N_("We cannot tell yet whether this computer is enough: close other programs and check again."),
    ),
}
"""The same where other programs left it so little while it was measured that no time of it holds.

Without them it is no slower: what is in time so is enough; what is late may not be.
"""

_WORTH_SAYING_USD, _WORTH_SAYING_RATIO = 1.0, 1.1
"""A headline tells that another costs less where that is a dollar, and a tenth."""

_TIGHT = N_("It is probably in time, but that is not sure.")
_LATE = {
    # whether it is in time but for what passes before and after a run
    False: N_("Nothing ends within {deadline}. {option} comes closest: {duration}."),
    True: N_("Nothing ends within {deadline}. {option} comes closest; only its start makes it late: {duration}."),
}
_DEAR_LATE = N_("Nothing ends within {deadline}. Beyond your budget, {option} comes closest: {duration}.")
"""Short, for it is a headline: what the budget gets, and what the start takes, are said right below."""
_LITTLE_LATE = N_("Nothing ends within {deadline}. {option} comes closest: it takes a little longer.")

_TOO_SMALL = (
    N_("This laptop has too little memory for that."),
    N_("This computer has too little memory for that."),
)
_CARD_TOO_SMALL = N_("The graphics card has too little memory for that.")
"""Said before what to get instead."""

_MAY_DO = (
    N_("Check again without other programs first: this laptop may do."),
    N_("Check again without other programs first: this computer may do."),
)
"""Said after an answer that is another computer only because this one could not be measured."""

_WITH = {
    "enough": (
        N_("With these parts it would be enough."),
        N_("With the {device} in this computer it would be enough."),
    ),
    "patience": (
        N_("With these parts it would be enough, if you can wait {duration}."),
        N_("With the {device} in this computer it would be enough, if you can wait {duration}."),
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
    late = _late_sentence(report, chosen, language)
    said = late or _verdict_elsewhere(report, chosen, language)
    if not late and (small := _too_small(report, chosen)):
        said = f"{language.gettext(small)} {said}"
    if _is_tight(report) and not falls_short(report):
        said = f"{said} {language.gettext(_TIGHT)}"
    if is_doubtful(report):
        said = f"{said} {language.gettext(_MAY_DO[0 if is_laptop(report.machine) else 1])}"
    return said


def is_doubtful(report: Report) -> bool:
    """Return whether the answer rests on a time of this computer that is not to be trusted, or there is none at all."""
    if chosen_option(report) is None:
        return report.advice.tier != "cluster"
    return is_untrusted(report) and (report.advice.tier == "this_computer" or may_do(report))


def may_do(report: Report) -> bool:
    """Return whether this computer does the job in time if it is as fast as it may be."""
    best = best_here(report)
    if best is None or best.run_s is None or best.obstacle in ("does_not_fit", "not_supported"):
        return False
    asked_s = next((one.value for one in report.advice.facts if one.name == "deadline_s"), None)
    limit_s = float(asked_s) if isinstance(asked_s, (int, float)) else float("inf")
    return (best.run_s if best.interval is None else best.interval.low) <= limit_s


def chosen_option(report: Report) -> Option | None:
    """Return the option that was chosen, if one was."""
    return next((option for option in report.advice.options if option.id == report.advice.chosen), None)


def _too_small(report: Report, chosen: Option | None) -> str:
    """Return that nothing of this computer has the memory for the job, or no card of its own; empty: it has.

    Where nothing does the job at all, memory is not what is wanting.
    """
    if chosen is not None and (outlasts_hardware(chosen) or chosen.before_s > LIFETIME_S):
        return ""
    own = [option for option in report.advice.options if option.tier == "this_computer"]
    larger = [option for option in own if option.obstacle != "does_not_fit"]
    if own and not larger:
        return _TOO_SMALL[0 if is_laptop(report.machine) else 1]
    return _CARD_TOO_SMALL if len(own) > len(larger) and not any(option.is_card for option in larger) else ""


def _codes(report: Report) -> set[str]:
    """Return the codes of the reasons, without a missed deadline that nobody asked for."""
    return {
        reason.code
        for reason in report.advice.reasons
        if reason.code != "after_deadline" or "default_deadline_s" not in reason.values
    }


def _is_late(report: Report) -> bool:
    return any(reason.code == "after_deadline" for reason in report.advice.reasons)


def _is_tight(report: Report) -> bool:
    """Return whether what is in time by the best guess may clearly miss the deadline that was asked."""
    tight = next((one.values for one in report.advice.reasons if one.code == "tight_deadline"), {})
    return "deadline_s" in tight and not is_little(tight)


def _late_sentence(report: Report, chosen: Option | None, language: Language) -> str:
    """Return that nothing is in time, and how close the best comes; empty where something is, or nobody asked."""
    deadline_s = report.circumstances.deadline_s
    if chosen is None or deadline_s is None or chosen.obstacle != "misses_deadline" or outlasts_hardware(chosen):
        return ""
    computes_in_time = (chosen.run_s or 0.0) <= deadline_s
    is_dear = "over_budget" in _codes(report)
    text = _DEAR_LATE if is_dear else _LATE[computes_in_time]
    if quantities.duration_alike(chosen.done_s, deadline_s) and not is_dear:
        text = _LITTLE_LATE
    duration, deadline = (quantities.duration(time_s, language) for time_s in (chosen.done_s, deadline_s))
    option = with_article(chosen, option_title(chosen, language), language)
    return language.gettext(text).format(option=option, duration=duration, deadline=deadline)


def _verdict_here(report: Report, chosen: Option, language: Language) -> str:
    advice, codes = report.advice, _codes(report)
    if "after_deadline" in codes:
        key = "late"
    elif "torch_mismatch" in codes and chosen.is_card:
        key = "torch"
    elif _is_tight(report) and not report.is_simulated:
        key = "tight"
    elif len(advice.either) > 1 or _is_late(report):
        key = "patience"
    elif "classical" in codes and not advice.gpu_would_help:
        key = "no_help"
    elif "input_bound" in codes and advice.gpu_would_help is False and (chosen.run_s or 0.0) > LONG_S:
        key = "no_faster"
    else:
        key = "enough"
    if is_untrusted(report):
        text = _DOUBTED["late" if key in {"late", "patience"} else "enough"][0 if is_laptop(report.machine) else 1]
    elif report.is_simulated and key in _WITH:
        text = _WITH[key][1 if chosen.is_card else 0]
    else:
        text = _HERE[_against_staying(report, key)][0 if is_laptop(report.machine) else 1]
    duration = "" if chosen.run_s is None else quantities.duration(chosen.run_s, language)
    return language.gettext(text).format(duration=duration, device=option_title(chosen, language))


def _against_staying(report: Report, key: str) -> str:
    """Return the text for a computer beside which something quicker costs less, where it has one, else its own."""
    reasons = () if report.advice.trade is None else report.advice.trade.reasons
    values = next((one.values for one in reasons if one.code == "stay_though_dearer"), {})
    ours, theirs = values.get("chosen_usd"), values.get("rival_usd")
    if not isinstance(ours, (int, float)) or not isinstance(theirs, (int, float)):
        return key
    is_told = ours > theirs * _WORTH_SAYING_RATIO and ours - theirs >= _WORTH_SAYING_USD
    against = f"{key}/{values.get('tier')}"
    return against if is_told and against in _HERE else key


def outlasts_hardware(option: Option) -> bool:
    """Return whether a run takes longer than any hardware is used: then nothing of it is advised."""
    return (option.run_s or 0.0) > HARDWARE_S


def _verdict_elsewhere(report: Report, chosen: Option | None, language: Language) -> str:
    if any(reason.code == "server_of_own" for reason in report.advice.reasons):
        return language.gettext("You need a server of your own.")
    if chosen is not None and chosen.run_s is not None and outlasts_hardware(chosen):
        text = language.gettext(
            "Nothing finishes this before its hardware wears out: even {option} would take {duration}."
        )
        if (chosen.run_s if chosen.interval is None else chosen.interval.low) > LIFETIME_S:
            text = language.gettext("Nothing does this in a lifetime: even {option} would take {duration}.")
        option = with_article(chosen, option_title(chosen, language), language)
        return text.format(option=option, duration=quantities.duration(chosen.run_s, language))
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
    names = {one.tier: with_article(one, option_title(one, language), language) for one in (chosen, other)}
    if other.tier == "this_computer":
        text = _("Buy {option}, or be patient with what you have.")
        if chosen.tier != "single_gpu":
            text = _("Use {option}, or be patient with what you have.")
        if chosen.offer is not None:
            text = _("Rent {option}, or be patient with what you have.")
        return text.format(option=names[chosen.tier])
    return _("Buy {bought} or rent {rented}: both are good.").format(
        bought=names.get("single_gpu", ""), rented=names.get("cloud", names.get("cluster", ""))
    )


def confidence_sentence(report: Report, language: Language) -> str:
    """Return how sure the time of the answer is; of a rough one the range is in the sentence that says the time."""
    chosen = chosen_option(report)
    ends = None if chosen is None else chosen.interval
    is_told = chosen is not None and ends is not None and confidence_of(chosen.run_s or 0.0, ends) != "rough"
    word = option_sureness(chosen, language) if chosen and is_told else confidence_phrase("rough", language)
    return language.gettext("How sure: {confidence}").format(confidence=word)
