"""How much memory the job takes of how much, and the smallest card that does it."""

from advisor.locale import Language
from advisor.records.results.report import Report
from advisor.report.words import quantities
from advisor.report.words.advice.verdict import chosen_option


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
        if option.prediction is not None and option.is_card and option.device_count * option.prediction.shards == 1
    )
    holding = [one for one in memories if one is not None and one.fits]
    return min((one.available_bytes for one in holding if one.available_bytes is not None), default=None)
