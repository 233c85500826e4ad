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


def beside_pick(option: Option, report: Report, language: Language, *, is_cell: bool = False) -> str:
    """Return how much cheaper an option is than the recommended one, or dearer, and how many times as fast or as long.

    Empty for the recommended one, and where something else than time and money speaks against the option. Times are
    as far apart as they read: who sees both divides one by the other. All are told as factors, to be compared down a
    list: minus 45 minutes would stand beside every time below 3. In a cell, whose column says that it is of speed, the
    factor of what is faster stands alone, and the words of what is slower in one line: nobody reads 0.078×.
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
        parts.append(_beside_time(option, chosen, language, is_cell=is_cell))
    return ", ".join(filter(None, parts))


def _beside_time(option: Option, chosen: Option, language: Language, *, is_cell: bool) -> str:
    """Return how many times as fast or as long an option is; empty where both times read the same."""
    time_s, chosen_s = each_s(option), each_s(chosen)
    if quantities.spoken_s(time_s) == quantities.spoken_s(chosen_s):
        return ""
    if time_s < chosen_s:
        factor = quantities.times_as_long(chosen_s, time_s, language)
        return f"{factor}×" if is_cell else language.gettext("{factor}× as fast").format(factor=factor)
    factor = quantities.times_as_long(time_s, chosen_s, language)
    slower = language.gettext("{factor}× slower").format(factor=factor)
    return slower.replace(" ", "\N{NO-BREAK SPACE}") if is_cell else slower


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
