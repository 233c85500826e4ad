"""What change of the circumstances would lead to another answer, as sentences."""

from typing import Final

from advisor.locale import N_, Language
from advisor.records.job.advice import FactValue, Flip
from advisor.records.results.report import Report
from advisor.report.words import quantities
from advisor.report.words.advice.reasons import UNKNOWN_CODE
from advisor.report.words.advice.verdict import chosen_option
from advisor.report.words.labels import amount, option_title, with_article
from advisor.report.words.placeholders import spell

_FLIPS: Final[dict[str, str]] = {
    # fact and direction
    "deadline_s/more": N_("If a run may take {then_s}: {answer}."),
    "deadline_s/less": N_("If a run must certainly end in less than {then_s}: {answer}."),
    "deadline_s/loaded": N_("If a run, its data loaded well, must certainly end in less than {then_s}: {answer}."),
    "deadline_s/wanted": N_("If you want a run to end in less than {then_s}: {answer}, by the best guess."),
    "runs_per_month/more": N_("From {then_count} runs a month on: {answer}."),
    "runs_per_month/less": N_("With fewer than {then_count} runs a month: {answer}."),
    "runs_per_month/seldom": N_("With less than one run in {then_interval}: {answer}."),
    "budget_usd/more": N_("With a budget of {then_usd}: {answer}."),
    "budget_usd/less": N_("With less than {then_usd} to spend: {answer}."),
    "data_must_stay/true": N_("If your data must not leave: {answer}."),
    "data_must_stay/false": N_("If your data may leave: {answer}."),
    "batch_size/less": N_("With batches of {then_count} instead of {now_count}: {answer}."),
}

_ANSWERS: Final[dict[str, str]] = {
    "this_computer": N_("this computer is enough"),
    "single_gpu": N_("buy {option}"),
    "cloud": N_("rent {option}"),
    "cluster": N_("you need a cluster"),
}
_ANSWERS_UNNAMED: Final[dict[str, str]] = {
    "this_computer": N_("this computer is enough"),
    "single_gpu": N_("buy a graphics card"),
    "cloud": N_("rent in the cloud"),
    "cluster": N_("you need a cluster"),
}


def flip_sentence(flip: Flip, report: Report, language: Language) -> str:
    """Return what change of circumstances would lead to which other answer."""
    text = _FLIPS.get(f"{flip.fact}/{_direction(flip, report)}", UNKNOWN_CODE)
    then = flip.then if isinstance(flip.then, (int, float)) else 0.0
    if flip.fact == "deadline_s" and text == _FLIPS["deadline_s/less"] and _may_take_longer(flip, float(then), report):
        chosen = chosen_option(report)  # in time by the best guess: it is left to be sure, else to be in time at all
        is_in_time = chosen is not None and chosen.run_s is not None and chosen.run_s + chosen.before_s < then
        text = _FLIPS["deadline_s/loaded" if is_in_time else "deadline_s/wanted"]
    return language.gettext(text).format(
        answer=_answer(flip, report, language),
        then_s=quantities.duration(_as_shown(float(then), report, language), language),
        then_count=language.significant(float(then), 2),
        then_interval=quantities.months(1 / then, language) if then else "",
        then_usd=amount(float(then), report, language),
        now_count=spell("now", flip.now, report, language),
    )


def _may_take_longer(flip: Flip, then_s: float, report: Report) -> bool:
    """Return whether what would be the answer may itself end later, by the interval that stands beside it."""
    option = next((one for one in report.advice.options if one.id == flip.option), None)
    if option is None or option.interval is None:
        return False
    return option.interval.high + option.before_s + option.after_s > then_s


def _as_shown(then_s: float, report: Report, language: Language) -> float:
    """Return a limit as the answer's own range has it, where it is the end of that."""
    chosen = chosen_option(report)
    if chosen is None or chosen.interval is None or chosen.run_s is None or chosen.interval.high != then_s:
        return then_s
    return quantities.spoken_ends(chosen.run_s, chosen.interval.low, then_s, language)[1]


def _direction(flip: Flip, report: Report) -> str:
    if isinstance(flip.then, bool):
        return "true" if flip.then else "false"
    now, then = _number(flip.now), _number(flip.then)
    if flip.fact == "deadline_s" and now is None:
        now = next((_number(f.value) for f in report.advice.facts if f.name == "deadline_s"), None)
    if then is None or now is None or then <= now:
        is_seldom = flip.fact == "runs_per_month" and then is not None and then < 1
        return "seldom" if is_seldom else "less"
    return "more"


def _number(value: FactValue) -> float | None:
    return float(value) if isinstance(value, (int, float)) else None


def _answer(flip: Flip, report: Report, language: Language) -> str:
    option = next((o for o in report.advice.options if o.id == flip.option), None)
    if option is None:
        return language.gettext(_ANSWERS_UNNAMED[flip.tier])
    named = with_article(option, option_title(option, language), language)
    return language.gettext(_ANSWERS[flip.tier]).format(option=named)
