"""An option beside the recommended one: what it saves or costs, and why the recommended one is first."""

from __future__ import annotations

from advisor.gui.models.verdict import signed
from advisor.locale import Language
from advisor.recommend.feasibility import each_s, times_as_long
from advisor.records.job.advice import Option
from advisor.records.results.own_computer import falls_short
from advisor.records.results.report import Report
from advisor.report.words import quantities
from advisor.report.words.advice.reasons import reason_sentence
from advisor.report.words.advice.trade import comparison_sentence, staying_sentence
from advisor.report.words.advice.verdict import chosen_option
from advisor.report.words.labels import money_between, option_title

WEIGHED = frozenset({"not_needed", "dearer", "slower"})
"""Obstacles of options that do the job: time and money decide."""
_CHEAPER = frozenset({"stay_though_dearer", "rather_cheap", "rather_stay"})
"""Comparisons with something that costs less than what is recommended."""
_NOTICED, _NOTICED_TIME = 0.01, 0.05
"""Shares by which a cost or a time must differ to be spoken of: a time within any prediction's error is the same."""


_MANY_TIMES = 5.0


def beside_pick(
    option: Option, report: Report, language: Language, time_words: quantities.TimeWords = quantities.duration
) -> str:
    """Return how much cheaper and sooner an option is done than the recommended one, or dearer and later.

    Empty for the recommended one, and where something else than time and money speaks against the option. Times are
    as far apart as they read: who sees both subtracts one from the other.
    """
    chosen = chosen_option(report)
    if chosen is None or option.obstacle not in WEIGHED or option.run_s is None or chosen.run_s is None:
        return ""
    parts = []
    if option.horizon_usd is not None and chosen.horizon_usd is not None:
        theirs, ours = option.horizon_usd, chosen.horizon_usd
        if abs(theirs - ours) > _NOTICED * abs(ours):
            parts.append(signed(money_between(theirs, ours, report, language), is_more=theirs > ours))
        else:
            parts.append(language.gettext("about the same cost"))
    if abs(times_as_long(option, chosen) - 1.0) > _NOTICED_TIME:
        parts.append(_beside_time(option, chosen, language, time_words))
    return ", ".join(filter(None, parts))


def _beside_time(option: Option, chosen: Option, language: Language, time_words: quantities.TimeWords) -> str:
    """Return a difference of times; where one takes many times as long, how many: all else rounds to its time.

    Empty where both read the same.
    """
    time_s, chosen_s = each_s(option), each_s(chosen)
    if _MANY_TIMES * time_s <= chosen_s:
        factor = quantities.times_as_long(chosen_s, time_s, language)
        return language.gettext("{factor}× as fast").format(factor=factor)
    if time_s >= _MANY_TIMES * chosen_s:
        factor = quantities.times_as_long(time_s, chosen_s, language)
        return language.gettext("{factor}× as long").format(factor=factor)
    if quantities.spoken_s(time_s) == quantities.spoken_s(chosen_s):
        return ""
    return signed(quantities.difference(time_s, chosen_s, language, time_words), is_more=time_s > chosen_s)


def why_best(report: Report, language: Language) -> str:
    """Return which option is recommended and why, and why though another costs less; empty where none is."""
    chosen = chosen_option(report)
    if chosen is None:
        return ""
    text = language.gettext("Recommended: {option}.")
    if falls_short(report):
        text = language.gettext("Nothing meets what you asked; {option} comes closest.")
    said = [text.format(option=option_title(chosen, language))]
    said += [reason_sentence(one, report, language) for one in report.advice.reasons[:1]]
    trade = report.advice.trade
    cheaper = [one for one in (() if trade is None else trade.reasons) if one.code in _CHEAPER]
    for one in cheaper[:1]:
        said.append(staying_sentence(one, language) or comparison_sentence(one, report, language))
    return " ".join(said)
