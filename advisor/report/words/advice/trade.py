"""The answer beside its alternatives: why each is named, what it gives up, and the sentences that compare them."""

from collections.abc import Mapping
from typing import Final

from advisor.locale import N_, Language
from advisor.records.job.advice import FactValue, Option, Reason, TradeRole
from advisor.records.job.best import MUCH_FASTER_RATIO
from advisor.records.job.workload import ONCE_RUNS
from advisor.records.results.measured.measurement import DISTURBED_RATIO
from advisor.records.results.own_computer import is_untrusted
from advisor.records.results.report import Report
from advisor.report.words import quantities
from advisor.report.words.advice.reasons import UNKNOWN_CODE, is_little, late_phrase, with_spoken_times
from advisor.report.words.labels import option_title, whole_title, with_article, with_spoken_difference
from advisor.report.words.placeholders import fill, spell

ROLES: Final[dict[TradeRole, str]] = {
    "recommended": N_("recommended"),
    "stay": N_("what you have"),
    "buy": N_("best purchase"),
    "rent": N_("best rent"),
    "cheapest": N_("cheapest"),
    "quickest": N_("quickest at a sensible price"),
}

COMPARISONS: Final[dict[str, str]] = {
    # code, kind of the other option, whether there is one run only
    "stay_though_dearer/cloud": N_(
        "{rival} would take {rival_s} a run and cost {rival_usd} in {horizon_months}, less than the electricity of "
        "this computer ({chosen_usd}). The case for staying: no account, and your data stay here."
    ),
    "stay_though_dearer/cloud/once": N_(
        "{rival} would take {rival_s} and cost {rival_usd}, less than the electricity of this computer "
        "({chosen_usd}). The case for staying: no account, and your data stay here."
    ),
    "stay_though_dearer/cloud/alike": N_(
        "{rival} would take {rival_s} a run and cost as much as the electricity of this computer, {chosen_usd} in "
        "{horizon_months}. The case for staying: no account, and your data stay here."
    ),
    "stay_though_dearer/cloud/once/alike": N_(
        "{rival} would take {rival_s} and cost as much as the electricity of this computer, {chosen_usd}. The case for "
        "staying: no account, and your data stay here."
    ),
    "stay_though_dearer/single_gpu": N_(
        "Buying {rival} would cost less in {horizon_months} ({rival_usd}, instead of {chosen_usd} of electricity here) "
        "and take {rival_s} a run. The case for staying: nothing has to be paid at once."
    ),
    "stay_overnight": N_(
        "That is overnight. If you don't want to wait: {rival}, rented, does a run in {rival_s} for {extra_usd} "
        "more over {horizon_months}. You need an account there."
    ),
    "stay_overnight/once": N_(
        "That is overnight. If you don't want to wait: {rival}, rented, does it in {rival_s} for {extra_usd} "
        "more. You need an account there."
    ),
    "stay_or_save": N_(
        "{rival}, rented, would cost {extra_usd} less in {horizon_months} and take {rival_s} a run instead of {run_s}. "
        "You need an account there."
    ),
    "stay_or_save/once": N_(
        "{rival}, rented, would cost {extra_usd} less and take {rival_s} instead of {run_s}. You need an account there."
    ),
    "stay_or_rent": N_(
        "If you don't want to wait: {rival}, rented, does a run in {rival_s} for {extra_usd} more over "
        "{horizon_months}. You need an account there."
    ),
    "stay_or_rent/once": N_(
        "If you don't want to wait: {rival}, rented, does it in {rival_s} for {extra_usd} more. You need an account "
        "there."
    ),
    "stay_or_buy": N_(
        "If you don't want to wait: {rival} does a run in {rival_s} for {extra_usd} more over {horizon_months}."
    ),
    "stay_or_buy/disk": N_(
        "If you don't want to wait, begin with the disk: a solid-state drive in this computer is read many times as "
        "fast. {rival} in a new computer does a run in {rival_s} for {extra_usd} more over {horizon_months}."
    ),
    "stay_or_be_sure": N_(
        "It may take {high_s}, and you allow {deadline_s}. Where it must not be late: {rival} does a run in {rival_s}, "
        "for {extra_usd} more in {horizon_months}."
    ),
    "stay_or_be_sure/once": N_(
        "It may take {high_s}, and you allow {deadline_s}. Where it must not be late: {rival} does it in {rival_s}, "
        "for {extra_usd} more."
    ),
    "may_be_late": N_("It may take {high_s}, and you allow {deadline_s}."),
    "may_be_late/little": N_("It may take a little longer than the {deadline_s} you allow."),
    "stay_or_be_sure/little": N_(
        "It may take a little longer than the {deadline_s} you allow. Where it must not be late: {rival} does a run in "
        "{rival_s}, for {extra_usd} more in {horizon_months}."
    ),
    "stay_or_be_sure/little/once": N_(
        "It may take a little longer than the {deadline_s} you allow. Where it must not be late: {rival} does it in "
        "{rival_s}, for {extra_usd} more."
    ),
    "load": N_("At that rate this computer would be busy for {busy_hours} of the {month_hours} hours of a month."),
    "load_may_exceed": N_(
        "At that rate this computer would be busy for {busy_hours} of the {month_hours} hours of a month; if each run "
        "takes as long as it may, for {high_hours}, which is more than there are."
    ),
    "rather_quick": N_(
        "If time matters more: for {extra_usd} more in {horizon_months}, {rival} does a run in {rival_s} instead of "
        "{run_s}."
    ),
    "rather_quick/once": N_(
        "If time matters more: for {extra_usd} more, {rival} does it in {rival_s} instead of {run_s}."
    ),
    "rather_cheap": N_("{rival} would cost {extra_usd} less in {horizon_months}, but {why}."),
    "rather_cheap/once": N_("{rival} would cost {extra_usd} less, but {why}."),
    "rather_stay": N_(
        "What you have would cost {extra_usd} less in {horizon_months}, but take {rival_s} a run instead of {run_s}."
    ),
    "rather_stay/once": N_("What you have would cost {extra_usd} less, but take {rival_s} instead of {run_s}."),
}

TWICE: Final[dict[str, str]] = {
    # what is done, whether there is one run only; then what the sentence before has said
    "cloud": N_(
        "{claim}: rent {rival}. A run takes {rival_s} instead of "
        "{run_s}; it costs {rival_usd} in {horizon_months} instead of {base_usd}."
    ),
    "cloud/once": N_(
        "{claim}: rent {rival}. It takes {rival_s} instead of {run_s}, and costs {rival_usd} instead of {base_usd}."
    ),
    "single_gpu": N_(
        "{claim}: buy {rival} for {purchase_usd}. A run takes "
        "{rival_s} instead of {run_s}; with electricity and resale it costs {rival_usd} in {horizon_months} instead "
        "of {base_usd}."
    ),
    "cloud/unknown": N_(
        "{claim}: rent {rival}. A run takes {rival_s} instead of {run_s}; it costs {rival_usd} in {horizon_months}."
    ),
    "cloud/once/unknown": N_("{claim}: rent {rival}. It takes {rival_s} instead of {run_s}, and costs {rival_usd}."),
    "single_gpu/unknown": N_(
        "{claim}: buy {rival} for {purchase_usd}. A run takes "
        "{rival_s} instead of {run_s}; with electricity and resale it costs {rival_usd} in {horizon_months}."
    ),
    "cloud/shown/more": N_(
        "{claim}: rent {rival}, for {extra_usd} more in {horizon_months} ({rival_usd} instead of {base_usd})."
    ),
    "cloud/shown/alike": N_("{claim}: rent {rival}, for about the same money in {horizon_months} ({rival_usd})."),
    "cloud/shown/less": N_(
        "{claim}: rent {rival}, for {extra_usd} less in {horizon_months} ({rival_usd} instead of {base_usd})."
    ),
    "single_gpu/shown/more": N_(
        "{claim}: buy {rival} for {purchase_usd}; with electricity "
        "and resale that is {extra_usd} more in {horizon_months} ({rival_usd} instead of {base_usd})."
    ),
    "this_computer": N_(
        "About {times} times as fast: {rival}, which this computer has, {rival_s} a run instead of {run_s}."
    ),
    "is_named": N_("{rival} is also the cheapest dependable choice that is at least twice as fast."),
    "is_named/likely": N_("{rival} is also the cheapest dependable choice that is probably at least twice as fast."),
    # no other people's machine, none that may be interrupted, none with fewer programs; probably: the speed
    "surely": N_("The cheapest dependable choice that is at least twice as fast"),
    "likely": N_("The cheapest dependable choice that is probably at least twice as fast"),
    "from": N_("It is about {times} times as fast; it may be as little as {least_times} times."),
    "from/start": N_("With its start, it is about {times} times as fast; it may be as little as {least_times} times."),
    "from/none": N_("It is about {times} times as fast; it may also be hardly faster."),
    "from/none/start": N_("With its start, it is about {times} times as fast; it may also be hardly faster."),
    "starting": N_(
        "A rented machine computes at least twice as fast too, for less, but needs {start_s} before each run, until it "
        "starts and has your data."
    ),
    "none/starting": N_(
        "Nothing to buy here is twice as fast as what you have, at any price; a rented machine computes that fast, but "
        "needs {start_s} before each run, until it starts and has your data."
    ),
    "over": N_("It is more than your budget of {budget_usd}."),
    "unsure": N_("Whether it is twice as fast is certain only after a check without other programs."),
    "none/launch": N_(
        "Nothing to buy or to rent here is twice as fast as what you have, at any price: the card waits for the "
        "program to start operations. A larger batch would be faster, and a compiled network (torch.compile)."
    ),
    "none/input": N_(
        "Nothing to buy or to rent here is twice as fast as what you have, at any price: the loading of the data holds "
        "it back."
    ),
    "none/stays": N_(
        "Nothing to buy here is twice as fast as what you have, at any price; what is rented is left out, since your "
        "data must not leave."
    ),
    "none": N_("Nothing to buy or to rent here is twice as fast as what you have, at any price."),
}

_WEAKNESSES: Final[dict[str, str]] = {
    "may_be_late/rented": N_("with its start and your data may take up to {high_s}, longer than {deadline_s}"),
    "may_be_late": N_("may take up to {high_s}, longer than {deadline_s}"),
    "may_be_late/little": N_("may take a little longer than {deadline_s}"),
    "interruptible": N_("it may be interrupted at any time"),
    "marketplace": N_("it is a private machine: its price and availability change by the hour"),
    "less_supported": N_("fewer programs run on it as they are"),
    "several": N_("your program must be written for several cards"),
    "slower": N_("takes {rival_s} a run instead of {run_s}"),
}

GIVEN_UP: Final[dict[str, str]] = {
    "may_be_late/rented": N_("with its start and your data may take up to {high_s}, longer than {deadline_s}"),
    "may_be_late": N_("may take up to {high_s}, longer than {deadline_s}"),
    "may_be_late/little": N_("may take a little longer than {deadline_s}"),
    "takes_longer": N_("takes {times} times as long as the quickest"),
    "takes_longer/rented": N_("takes {times} times as long as the quickest, start included"),
    "costs_more": N_("costs {extra_usd} more than the cheapest"),
    "costs_more/named": N_("costs {extra_usd} more than the cheapest, {rival}"),
    "paid_at_once": N_("{purchase_usd} are paid at once"),
    "starts_late": N_("{before_s} to start and upload your data"),
    "starts_late/no_data": N_("{before_s} to start"),
    "needs_account": N_("needs an account, and your data go there"),
    "interruptible": N_("may be interrupted at any time"),
    "marketplace": N_("other people's machines: price and availability change by the hour"),
    "less_supported": N_("fewer programs run on it as they are"),
    "several": N_("your program must share the work among {count} cards"),
}


_HARDLY_FASTER = 1.05
"""Up to so many times as fast is told as hardly faster."""

_STAYING: Final = {
    "cloud": N_(
        "Renting costs less for this job, but needs an account, and your data go there: so staying is our pick."
    ),
    "single_gpu": N_("Buying costs less over time, but has to be paid at once: so staying is our pick."),
}


def staying_sentence(reason: Reason, language: Language) -> str:
    """Return why this computer stays the answer though another costs less, without its figures; empty: it is not so."""
    text = _STAYING.get(str(reason.values.get("tier"))) if reason.code == "stay_though_dearer" else None
    return "" if text is None else language.gettext(text)


def role_phrase(role: TradeRole, language: Language) -> str:
    """Return why an option is named."""
    return language.gettext(ROLES[role])


def given_up_phrase(reason: Reason, report: Report, language: Language) -> str:
    """Return one thing that is given up by taking an option."""
    values = with_spoken_times(reason.values, language)
    if reason.code == "starts_late" and not _is_data_known(report):
        return _filled(GIVEN_UP["starts_late/no_data"], values, report, language)
    values = with_spoken_difference(values, report, language)
    if reason.code == "costs_more" and (rival := _rival(reason, report, language)):
        return _filled(GIVEN_UP["costs_more/named"], {**values, **rival}, report, language)
    return late_phrase(_rented(reason.code, reason, GIVEN_UP), values, report, language)


def _is_data_known(report: Report) -> bool:
    """Return whether a start counts with data on their way, whose size is not always known."""
    return any(one.sent_bytes > 0 for one in report.advice.options)


def _rented(code: str, reason: Reason, texts: Mapping[str, str]) -> str:
    """Return the text of a code; where a start counts as well, the one that says so."""
    known = texts.get(code, UNKNOWN_CODE)
    if is_little(reason.values):
        return texts.get(f"{code}/little", known)
    return known if reason.values.get("before_s") is None else texts.get(f"{code}/rented", known)


def comparison_sentence(reason: Reason, report: Report, language: Language) -> str:
    """Return a sentence that compares the answer with another option, or its load with a month."""
    if reason.code in ("twice", "twice_none"):
        return twice_sentence(reason, report, language)
    words = _rival(reason, report, language)
    weakness = _rented(str(reason.values.get("why", "slower")), reason, _WEAKNESSES)
    is_late = reason.values.get("why") == "may_be_late"
    words["why"] = (late_phrase if is_late else _filled)(weakness, reason.values, report, language)
    words |= _rival_time(reason, report, language)
    key = _variant(reason)
    told = {spell(name, reason.values.get(name), report, language) for name in ("rival_usd", "chosen_usd")}
    if len(told) == 1 and f"{key}/alike" in COMPARISONS:  # "13, less than 13"
        key = f"{key}/alike"
    text = language.gettext(COMPARISONS.get(key, UNKNOWN_CODE))
    said = fill(text, {**with_spoken_difference(reason.values, report, language), **words}, report, language)
    return said[:1].upper() + said[1:]  # an article may come first


def twice_sentence(
    reason: Reason, report: Report, language: Language, *, alone: bool = False, is_shown: bool = False
) -> str:
    """Return what it costs to be at least twice as fast as this computer.

    Args:
        reason: As ``twice_as_fast`` returns it.
        report: Whose options are named.
        language: Of the sentence.
        alone: No sentence before it names the option.
        is_shown: The option's times stand beside it: only what it costs is to be said.
    """
    values = reason.values
    if reason.code == "twice_none":
        kind = "starting" if "start_s" in values else values.get("limit")
        said = TWICE.get(f"none/{kind}", TWICE["none"])
        return fill(language.gettext(said), values, report, language)
    is_sure = _is_surely_twice(reason, report)
    words = _rival(reason, report, language) | _rival_time(reason, report, language)
    words |= _times(reason, report, language)
    words["claim"] = language.gettext(TWICE["surely" if is_sure else "likely"])
    doubt = [] if is_sure else [TWICE[_doubt(reason, report)]]
    if not alone and (values.get("is_answer") or values.get("is_named")):
        texts = [TWICE["is_named" if is_sure else "is_named/likely"], *doubt]
        said = " ".join(fill(language.gettext(text), {**values, **words}, report, language) for text in texts)
        return said[:1].upper() + said[1:]
    tier = str(values.get("tier"))
    key = f"{tier}/once" if _is_once(reason) and f"{tier}/once" in TWICE else tier
    key = f"{key}/unknown" if "base_usd" not in values and f"{key}/unknown" in TWICE else key
    rival_usd, base_usd = values.get("rival_usd"), values.get("base_usd")
    if is_shown and isinstance(rival_usd, (int, float)) and isinstance(base_usd, (int, float)):
        told = {spell(name, values[name], report, language) for name in ("rival_usd", "base_usd")}
        short = f"{key}/shown/{'alike' if len(told) == 1 else 'more' if rival_usd > base_usd else 'less'}"
        key = short if short in TWICE else key
    texts = [TWICE.get(key, UNKNOWN_CODE)]
    if "start_s" in values:
        texts.append(TWICE["starting"])
    if "budget_usd" in values:
        texts.append(TWICE["over"])
    filled = {**with_spoken_difference(values, report, language), **words}
    return " ".join(fill(language.gettext(text), filled, report, language) for text in (*texts, *doubt))


def _is_surely_twice(reason: Reason, report: Report) -> bool:
    """Return whether the other option is twice as fast though it takes as long as it may, with its start.

    Beside a check that others disturbed: even where this computer is as fast as it may be.
    """
    run_s, _done_s, latest_s = _compared(reason, report)
    base = _option(reason, "base", report)
    if _is_disturbed(base, report):
        run_s = 0.0 if base is None or base.interval is None else base.interval.low
    return MUCH_FASTER_RATIO * latest_s <= run_s


def _is_disturbed(base: Option | None, report: Report) -> bool:
    """Return whether the time of this computer's processor is one that other programs slowed."""
    if is_untrusted(report):
        return True
    if base is None or base.is_card or base.prediction is None or report.benchmark is None:
        return False
    cases = base.prediction.basis_detail
    return report.benchmark.taken_ratio(cases) >= DISTURBED_RATIO and report.benchmark.slowed_times(cases) <= 1.0


def _doubt(reason: Reason, report: Report) -> str:
    """Return the code of what is said where twice the speed is likely and no more."""
    if _is_disturbed(_option(reason, "base", report), report):
        return "unsure"
    run_s, done_s, latest_s = _compared(reason, report)
    is_faster = quantities.spoken_s(run_s) > _HARDLY_FASTER * quantities.spoken_s(latest_s)
    code = "from" if is_faster else "from/none"
    rival = _option(reason, "option", report)
    return code if rival is None or rival.run_s == done_s else f"{code}/start"


def _compared(reason: Reason, report: Report) -> tuple[float, float, float]:
    """Return how long this computer takes, and the other option with its start: most likely, and at most."""
    run_s, rival_s = (float(reason.values.get(name) or 1.0) for name in ("run_s", "rival_s"))
    rival = _option(reason, "option", report)
    if rival is None or rival.run_s is None:
        return run_s, rival_s, rival_s
    high_s = rival.run_s if rival.interval is None else rival.interval.high
    return run_s, rival.done_s, rival.done_s - rival.run_s + high_s


def _times(reason: Reason, report: Report, language: Language) -> dict[str, str]:
    """Return how many times as fast the other option is, and at least: by the times that are shown."""
    run_s, done_s, latest_s = _compared(reason, report)
    return {
        "times": quantities.times_as_long(run_s, done_s, language),
        "least_times": quantities.times_as_long(run_s, latest_s, language),
    }


def _option(reason: Reason, name: str, report: Report) -> Option | None:
    return next((one for one in report.advice.options if one.id == reason.values.get(name)), None)


def _rival(reason: Reason, report: Report, language: Language) -> dict[str, str]:
    """Return the name of the other option: with the computer around a card where its price and its time are of both."""
    named = _option(reason, "option", report)
    if named is None:
        return {}
    is_of_disk = reason.values.get("limit") == "disk"  # those sentences tell of the computer around it themselves
    title = (option_title if is_of_disk else whole_title)(named, language)
    return {"rival": with_article(named, title, language)}


def _rival_time(reason: Reason, report: Report, language: Language) -> dict[str, str]:
    """Return the times that a sentence compares, each with what passes before it."""
    found = {}
    for name, start in (("rival_s", "before_s"), ("run_s", "chosen_before_s")):
        if (before := reason.values.get(start)) is not None:
            text = language.gettext("{time} (plus {before} to start)")
            if _is_data_known(report):
                text = language.gettext("{time} (plus {before} to start and upload your data)")
            found[name] = text.format(
                time=spell(name, reason.values.get(name), report, language),
                before=spell("before_s", before, report, language),
            )
    return found


def _filled(text: str, values: Mapping[str, FactValue], report: Report, language: Language) -> str:
    return fill(language.gettext(text), values, report, language)


def _is_once(reason: Reason) -> bool:
    runs = reason.values.get("runs")
    return isinstance(runs, (int, float)) and runs < ONCE_RUNS


def _variant(reason: Reason) -> str:
    key = reason.code
    is_near = "high_s" in reason.values and is_little(reason.values)
    of_values = (reason.values.get("tier"), reason.values.get("limit"))
    hints = (*of_values, "little" if is_near else None, "once" if _is_once(reason) else None)
    for hint in hints:
        key = f"{key}/{hint}" if f"{key}/{hint}" in COMPARISONS else key
    return key
