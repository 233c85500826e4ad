"""Is another part worth it? What it saves, when it pays, and what would be better for the money."""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from advisor.locale import N_, Language
from advisor.records.base import Interval
from advisor.records.job.advice import Option
from advisor.records.job.changes import Barred, WhatIf
from advisor.records.results.own_computer import is_untrusted
from advisor.records.results.report import Report
from advisor.report.content.blocks import Bullets, Item, Paragraph, Section
from advisor.report.content.job_changes import TWICE, slowed
from advisor.report.content.options.settled_parts import is_settled, settled_sentence
from advisor.report.provenance.money import of_break_even, of_cost, of_price
from advisor.report.provenance.predictions import of_time
from advisor.report.provenance.record import Provenance
from advisor.report.provenance.what_if import of_part
from advisor.report.words import quantities
from advisor.report.words.advice.money import tax_note
from advisor.report.words.labels import (
    LIMITS,
    amount,
    is_laptop,
    isolation_phrase,
    named_amount,
    option_title,
    with_article,
)
from advisor.units import MINUTE_S, MONTH_S

PARTS: Final[dict[str, str]] = {
    "second_card": N_("A second {name}"),
    "memory": N_("Twice the main memory"),
    "cores": N_("Twice the processor cores"),
    "disk": N_("A solid-state drive (NVMe)"),
}
BARRED: Final[dict[Barred, str]] = {
    "laptop": N_("{part}: does not fit a laptop."),
    "server": N_("{part}: it is made for servers; a computer like this has neither the socket nor the airflow for it."),
    "no_card": N_("{part}: this computer has no first graphics card to add to."),
}
MAX_PAYBACK_MONTHS = 120
"""No card stays in use for longer than ten years."""
_NOT_WORTH_S = 10 * MINUTE_S
"""Nobody buys a part to wait a part of so little less."""
_UNTOLD = N_("We cannot tell yet: close other programs and check again.")
_SLOWED = N_("The current time is based on a check that other programs slowed; without them it may be shorter.")
_LITTLE = 0.05
"""Share of a run that is too little to be told from the scatter of measurements."""


def what_if(report: Report, language: Language) -> Section:
    """Return what the parts that were asked about would bring; empty where nothing was asked."""
    said = what_if_lines(report, language)
    items = tuple(Item(" ".join(one.text for one in line), origin=line[0].origin) for line in said)
    blocks = (Paragraph(worth_verdict(report, language)), Bullets(items)) if items else ()
    return Section("what_if", language.gettext("Is it worth it?"), blocks)


def what_if_lines(report: Report, language: Language) -> tuple[tuple[Paragraph, ...], ...]:
    """Return what is said of each part that was asked about, sentence by sentence."""
    lines = [tuple(_sentences(one, report, language)) for one in report.what_if]
    slow = language.gettext(_SLOWED)
    first = next((one for line in lines for one in line if one.text == slow), None)  # said of all parts at once
    return tuple(tuple(one for one in line if one.text != slow or one is first) for line in lines)


def worth_verdict(report: Report, language: Language) -> str:
    """Return the answer to what was asked, in one short sentence; of several parts, which of them helps most."""
    _ = language.gettext
    best = next((one for one in report.what_if if _helps(one)), None)
    untold = [one for one in report.what_if if _is_untold(one, report)]
    if untold and (best is None or best in untold):
        return _(_UNTOLD)
    if len(report.what_if) == 1:
        return _verdict(report.what_if[0], report, language)
    if best is None:
        return _("None of these parts would make a run clearly shorter.")
    if report.advice.tier == "this_computer" and (best.now_s or 0.0) < _NOT_WORTH_S:
        return _("It would help, but what you have is enough.")
    return _("This would help most: {part}.").format(part=_part(best, report, language))


def _helps(one: WhatIf) -> bool:
    """Return whether a run is shorter with the part by more than measurements scatter, or is possible with it alone."""
    if one.barred is not None or one.then_s is None:
        return False
    return one.now_s is None or one.then_s < (1.0 - _LITTLE) * one.now_s


def _is_untold(one: WhatIf, report: Report) -> bool:
    """Return whether what a part brings cannot be told: other programs took what its time is compared with.

    Of cores they took, as many more may be what helps, though the time that was measured hangs on something else.
    """
    is_timed = one.barred is None and one.now_s is not None and one.then_s is not None
    is_asked = is_timed and report.advice.chosen != f"buy/{one.name}" and not is_settled(one, report)
    return is_asked and (is_untrusted(report) or (one.kind == "cores" and _is_slowed(report)))


def _is_slowed(report: Report) -> bool:
    """Return whether the time of now rests on a check of which the page says that it may be twice as fast without."""
    _finding, factor = slowed(report)
    return factor >= TWICE or is_untrusted(report)


def _verdict(one: WhatIf, report: Report, language: Language) -> str:
    _ = language.gettext
    if not _helps(one):
        return _("No.")
    if report.advice.chosen == f"buy/{one.name}":
        return _("Yes: it is what we recommend.")
    if one.better is not None:
        return _("No: there is better for the money.")
    if report.advice.tier == "this_computer":
        return _("It would help, but what you have is enough.")
    if one.price_usd is not None and not _pays(one) and not report.circumstances.data_must_stay:
        return _("Only if you do not want to rent.")
    return _("Yes, it would help.")


def _pays(one: WhatIf) -> bool:
    return one.pays_months is not None and one.pays_months <= MAX_PAYBACK_MONTHS


def _sentences(one: WhatIf, report: Report, language: Language) -> Iterator[Paragraph]:
    """Yield what is said of a part, each sentence with where its numbers come from."""
    _ = language.gettext
    part = _part(one, report, language)
    if one.barred is not None:
        yield Paragraph(_(BARRED[one.barred]).format(part=part))
        return
    if _is_untold(one, report):
        yield from _untold(one, part, report, language)
        return
    if _is_slowed(report) and is_settled(one, report):
        yield Paragraph(settled_sentence(one, part, report, language))
        return
    yield Paragraph(_gain(one, part, report, language), _time_origin(one, part, report, language))
    if one.kind == "card" and one.then_s is not None and _is_fed_here(one, report):
        yield Paragraph(_fed(report, language))
    if one.now_s is not None and _is_slowed(report):
        yield Paragraph(_(_SLOWED))
    if one.price_usd is not None or (one.saved_s or 0.0) > _LITTLE * (one.now_s or 0.0):
        yield Paragraph(_price(one, report, language), _price_origin(one, report, language))
    if one.card_usd is not None and one.then_s is not None:
        yield Paragraph(_put_in(one, report, language), _price_origin(one, report, language))
    better = next((option for option in report.advice.options if option.id == one.better), None)
    if better is not None and better.run_s is not None:
        text = _("Better for the money: {option} does a run in {time}, and costs {usd} in {months}.")
        said = text.format(
            option=with_article(better, option_title(better, language), language),
            time=quantities.duration(better.run_s, language),
            usd=amount(better.horizon_usd or 0.0, report, language),
            months=quantities.months(report.circumstances.horizon_months, language),
        )
        yield Paragraph(said, of_cost(better, report, language))


def _untold(one: WhatIf, part: str, report: Report, language: Language) -> Iterator[Paragraph]:
    """Yield what is known of a part whose gain is not: the time of a card rests on nothing that others disturbed."""
    _ = language.gettext
    if one.kind == "card" and one.then_s is not None and not _is_fed_here(one, report):
        text = _("{part}: {then} a run.").format(part=part, then=_then(one, report, language))
        sold = _sold(one, report)
        yield Paragraph(text, None if sold is None else of_time(sold, report, language))
        yield Paragraph(_("How much time that saves will be known after a check without other programs."))
    else:
        text = _("{part}: what it brings will be known after a check without other programs.")
        yield Paragraph(text.format(part=part))
    if one.price_usd is not None:
        said = _("It costs {price}.").format(price=_named_price(one.price_usd, report, language))
        yield Paragraph(said, _price_origin(one, report, language))
    if one.card_usd is not None:
        yield Paragraph(_put_in(one, report, language), _price_origin(one, report, language))


def _is_fed_here(one: WhatIf, report: Report) -> bool:
    """Return whether a card would wait for this computer's processor, which others had during the check."""
    sold = _sold(one, report)
    if sold is None or sold.host_usd > 0 or sold.prediction is None:
        return False
    return sold.prediction.limit == "input"


def _sold(one: WhatIf, report: Report) -> Option | None:
    return next((option for option in report.advice.options if option.id == f"buy/{one.name}"), None)


def _put_in(one: WhatIf, report: Report, language: Language) -> str:
    """Return why a new computer is counted around a card, and what the card alone would do in this one."""
    _, host = language.gettext, report.machine.host
    if one.here_s is None or one.card_usd is None:
        return (
            _("A card like this does not fit a laptop.")
            if is_laptop(report.machine)
            else _("A card like this does not fit this computer.")
        )
    text = _("The program cannot see whether a card fits into this computer, so the price includes a new PC.")
    if host.isolation not in ("none", "wsl"):
        text = _(
            "The program runs inside {isolation} and cannot see whether a card fits into this computer, so the price "
            "includes a new PC."
        )
    alone = _("If there is room and power for it, the card alone ({price}) would be enough: {time} a run.")
    said = alone.format(
        price=named_amount(one.card_usd, report, language), time=_with_range(one.here_s, one.here_interval, language)
    )
    fed = _fed(report, language) if one.here_limit == "input" else ""
    return " ".join(filter(None, (text.format(isolation=isolation_phrase(host, language)), said, fed)))


def _fed(report: Report, language: Language) -> str:
    """Return why a card in this computer takes as long as it does, where the processor feeds it."""
    cores = max(1, round(report.machine.host.cpu.usable_cores))
    text = language.ngettext(
        "No other card would finish sooner in this computer: its {n} core loads and prepares the data, and "
        "the card waits for it.",
        "No other card would finish sooner in this computer: its {n} cores load and prepare the data, and "
        "the card waits for them.",
        cores,
    )
    return text.format(n=language.number(cores))


def _then(one: WhatIf, report: Report, language: Language) -> str:
    """Return how long a run takes with a part, of a card with the range that stands beside it among the options."""
    then_s, sold = one.then_s or 0.0, _sold(one, report)
    is_sold = one.kind == "card" and sold is not None and sold.run_s == then_s
    return _with_range(then_s, sold.interval if sold is not None and is_sold else None, language)


def _with_range(time_s: float, interval: Interval | None, language: Language) -> str:
    if interval is None:
        return quantities.duration(time_s, language)
    return quantities.duration_with_range(time_s, interval.low, interval.high, language)


def _part(one: WhatIf, report: Report, language: Language) -> str:
    """Return the part as a phrase: with the computer a card would be in, and the processes that load with cores."""
    _ = language.gettext
    sold = _sold(one, report)
    if one.kind == "card":
        is_around = sold is not None and sold.host_usd > 0
        text = _("{name} in a new PC") if is_around else _("{name} in this computer")
        return text.format(name=one.name)
    if one.kind == "second_card" and not one.name:
        return _("A second card")
    if one.kind == "second_card" and sum(card.trains for card in report.machine.accelerators) > 1:
        return _("One more {name}").format(name=one.name)
    if one.loaders:
        return _("Twice the processor cores with {n} loading processes").format(n=language.number(one.loaders))
    return _(PARTS[one.kind]).format(name=one.name)


def _gain(one: WhatIf, part: str, report: Report, language: Language) -> str:
    _ = language.gettext
    if one.then_s is None:
        return _("{part}: the job would not fit.").format(part=part)
    then = _then(one, report, language)
    if one.now_s is None:
        return _("{part}: the job would fit, and a run take {then}.").format(part=part, then=then)
    now = quantities.duration(one.now_s, language)
    gained = 1.0 - one.then_s / one.now_s
    if now == quantities.duration(one.then_s, language) or abs(gained) < _LITTLE:
        text = _("{part}: hardly any difference, {now} a run. What holds it back is {limit}.")
        if one.kind == "memory":
            text = _(
                "{part}: hardly any difference, {now} a run. There is enough of it; what takes the time is {limit}."
            )
        return text.format(part=part, now=now, limit=_(LIMITS[one.limit]))
    if gained < 0:
        return _("{part}: slower, {then} a run instead of {now}.").format(part=part, then=then, now=now)
    # more than there are: so many runs cannot be done here now; who runs it once saves nothing a month
    runs = report.circumstances.runs_per_month
    if one.saved_s is None or one.saved_s > MONTH_S or report.circumstances.is_once:
        return _("{part}: {then} a run instead of {now}.").format(part=part, then=then, now=now)
    now_s, then_s = (runs * quantities.spoken_s(time_s) for time_s in (one.now_s, one.then_s))
    saved = quantities.difference(now_s, then_s, language)
    text = _("{part}: {then} a run instead of {now}, which saves {saved} a month.")
    return text.format(part=part, then=then, now=now, saved=saved)


def _price(one: WhatIf, report: Report, language: Language) -> str:
    _ = language.gettext
    if one.price_usd is None:
        return _("What it costs is not known here: ask a shop.")
    price = _named_price(one.price_usd, report, language)
    if one.kind == "second_card":
        if sum(card.trains for card in report.machine.accelerators) > 1:
            return _("It costs {price}, and needs a slot, and power and air for one more.").format(price=price)
        return _("It costs {price}, and needs a slot, a power supply and air for two.").format(price=price)
    if not _pays(one) or one.pays_months is None:
        if report.circumstances.data_must_stay:
            return _("It costs {price}.").format(price=price)
        return _("It costs {price}; renting something faster is cheaper for this job.").format(price=price)
    text = _("It costs {price}, and has cost less than renting after {months}.")
    return text.format(price=price, months=quantities.months(one.pays_months, language))


def _named_price(usd: float, report: Report, language: Language) -> str:
    """Return a price with its currency where others have the same sign, and of which country where that is another."""
    said = named_amount(usd, report, language)
    return f"{said} ({tax_note(report, language)})"


def _time_origin(one: WhatIf, part: str, report: Report, language: Language) -> Provenance:
    """Return where the time of a run with a part comes from: of a card that is sold its own, beside that of now.

    Of a part that is only thought of, how it was worked out: the time of now was explained, as measured.
    """
    options = {option.id: option for option in report.advice.options}
    here = min(
        (option for option in options.values() if option.tier == "this_computer" and option.run_s == one.now_s),
        key=lambda option: option.id,
        default=None,
    )
    sold = options.get(f"buy/{one.name}")
    if sold is None or one.kind != "card":
        return of_part(one, part, here, report, language)
    now = None if here is None else of_time(here, report, language)
    then = of_time(sold, report, language)
    runs = (language.gettext("Runs per month"), language.number(report.circumstances.runs_per_month, 2))
    beside = () if now is None else ((now.title, now.value),)
    return replace(then, inputs=(*beside, runs, *then.inputs))


def _price_origin(one: WhatIf, report: Report, language: Language) -> Provenance | None:
    """Return where the price of a card comes from, and when buying it pays; None of what is no card to buy."""
    sold = _sold(one, report)
    if sold is None or one.kind != "card":
        return None
    price, pays = of_price(sold, report, language), of_break_even(sold, report, language)
    inputs = [(pays.title, pays.value)] if _pays(one) else []
    if one.here_s is not None:
        in_this = language.gettext("Time of one run with it in this computer")
        inputs.append((in_this, quantities.duration(one.here_s, language)))
    return replace(price, inputs=(*inputs, *price.inputs))
