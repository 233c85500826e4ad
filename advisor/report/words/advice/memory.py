"""How much memory the job takes of how much, and the smallest card that does it."""

from typing import NamedTuple

from advisor.locale import Language
from advisor.records.job.advice import Option
from advisor.records.results.report import Report
from advisor.report.words import quantities
from advisor.report.words.advice.verdict import chosen_option
from advisor.report.words.labels import device_title


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
    if not chosen.is_card:
        each = _("It uses {share} of main memory on each computer.")
        return (_("It uses {share} of main memory.") if chosen.device_count == 1 else each).format(share=share)
    if chosen.device_count > 1:
        return _("It uses {share} of graphics memory on each card.").format(share=share)
    text = _("It uses {share} of graphics memory.").format(share=share)
    least = None if chosen.tier == "this_computer" else _least_card(report)
    return " ".join(filter(None, (text, "" if least is None else _least_sentence(least, memory.total_bytes, language))))


class _Least(NamedTuple):
    """The smallest single card that does the job, and its memory."""

    option: Option
    size_bytes: float


def _least_sentence(least: _Least, total_bytes: float, language: Language) -> str:
    """Return the name and the memory of a card, and whether it takes the job in parts."""
    _ = language.gettext
    in_parts = least.size_bytes < total_bytes
    text = _("The smallest single card on sale that does it is the {card}, with {size}.")
    if in_parts:
        text = _("The smallest single card on sale that does it, each step in parts, is the {card}, with {size}.")
    if least.option.tier != "single_gpu":
        text = _("The smallest single card that does it is the {card}, with {size}.")
        if in_parts:
            text = _("The smallest single card that does it, each step in parts, is the {card}, with {size}.")
    card = device_title(least.option.title, language)
    return text.format(card=card, size=quantities.memory(least.size_bytes, language))


def _least_card(report: Report) -> _Least | None:
    """Return the smallest single card that does the job, in parts if need be; None where none does.

    One that is sold comes before what is only rented; of equal ones one that programs support well, then the cheapest.
    A whole computer is no card.
    """
    found = [
        _Least(option, size_bytes)
        for option in report.advice.options
        if option.is_card and not option.is_computer and option.tier in ("single_gpu", "cloud")
        if option.obstacle != "not_supported"
        if (size_bytes := _holding_bytes(option)) is not None
    ]
    return min(found, key=_rank, default=None)


def _rank(one: _Least) -> tuple[bool, float, bool, float, str]:
    option = one.option
    is_rented, is_less_supported = option.tier != "single_gpu", option.obstacle == "less_supported"
    return is_rented, one.size_bytes, is_less_supported, option.purchase_usd, option.title


def _holding_bytes(option: Option) -> float | None:
    """Return the memory of one card that holds the job by itself; None where it does not, or is not known."""
    if option.prediction is None or option.device_count * option.prediction.shards != 1:
        return None
    memory = option.prediction.memory
    return memory.available_bytes if memory is not None and memory.fits else None
