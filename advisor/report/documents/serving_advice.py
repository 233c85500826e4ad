"""The advice for a language model that is to be run: a page in every format."""

from collections.abc import Iterator
from typing import Final

from advisor.locale import N_, Language
from advisor.records.job.advice import Tier
from advisor.records.job.serving_advice import (
    READING_SOURCE,
    ServingAdvice,
    ServingObstacle,
    ServingOption,
    ServingQuestion,
    as_told,
    usual_wait_s,
)
from advisor.report.content.blocks import Block, Bullets, Item, Pairs, Paragraph, Section, Table
from advisor.report.content.document import Document
from advisor.report.documents.serving import here_heading, here_rows, memory_sentence
from advisor.report.documents.serving_here import pace_phrase, weights_name
from advisor.report.formats.page import render_page
from advisor.report.formats.text import WIDTH
from advisor.report.words import quantities
from advisor.report.words.labels import PROVIDERS, spoken_date, sureness, tier_name
from advisor.report.words.problems import speed_doubt

_OBSTACLES: Final[dict[ServingObstacle, str]] = {
    "data_must_stay": N_("the data may not leave"),
    "does_not_fit": N_("does not fit"),
    "hardly_fits": N_("may not fit"),
    "too_slow": N_("may be too slow"),
    "waits_too_long": N_("an answer begins too late"),
    "too_little_time": N_("a month is too short"),
    "budget": N_("over the budget"),
}
_VERDICTS: Final[dict[Tier, str]] = {
    "this_computer": N_("This computer is enough: run {model} on {option}."),
    "single_gpu": N_("To run {model}, buy {option}."),
    "cloud": N_("To run {model}, rent {option}."),
    "cluster": N_("To run {model}, rent several machines together: {option}."),
}
_AIMS: Final[dict[tuple[str, ...], str]] = {
    ("too_slow",): N_("For at least {least} tokens a second"),
    ("waits_too_long",): N_("For it to begin within {wait}"),
    ("too_slow", "waits_too_long"): N_("For at least {least} tokens a second, beginning within {wait}"),
}
"""What is looked for and this computer does not do, by what stands in its way."""
_GET: Final[dict[Tier, str]] = {
    "single_gpu": N_("{aim}, buy {option}."),
    "cloud": N_("{aim}, rent {option}."),
    "cluster": N_("{aim}, rent several machines together: {option}."),
}
_PATIENTLY_HERE: Final = N_(
    "This computer will do: run {model} on {option}. It writes {pace} ({tokens}), and an answer begins after {first}."
)
_SOONER: Final[dict[Tier, str]] = {
    "single_gpu": N_(
        "For an answer to begin within {wait}, buy {option} for {once}; with electricity and resale that is {money} a "
        "month over {months}."
    ),
    "cloud": N_("The cheapest machine for rent that begins within {wait}: {option}, {money} a month."),
}
"""What is to be had beside a computer that will do."""
_NEARLY_HERE: Final = N_("This computer will do, a little slower than asked: run {model} on {option}.")
_LATE_HERE: Final = N_("This computer will do, though an answer begins a little late: run {model} on {option}.")
_TRADES: Final[dict[Tier, str]] = {
    "single_gpu": N_(
        "The cheapest suitable purchase would cost {money} a month over {months}, with electricity and resale: "
        "{option}, {once} once."
    ),
    "cloud": N_("The cheapest suitable machine for rent would cost {money} a month: {option}."),
}
_TWICE: Final[dict[Tier, str]] = {
    "single_gpu": N_(
        "{times} times as fast ({rate} tokens a second): buy {option} for {once}; with electricity and resale that is "
        "{money} a month over {months}."
    ),
    "cloud": N_("{times} times as fast ({rate} tokens a second): rent {option}, {money} a month."),
}
_SHOWN: Final[dict[Tier, int]] = {"this_computer": 3, "single_gpu": 5, "cloud": 5, "cluster": 1}
"""Options of each tier in the table; of one that does not do, the best alone."""
_SHOWN_HERE = 8
"""Models in the table of those that this computer runs: the largest, which answer best."""


def render_serving(
    advice: ServingAdvice, form: str, language: Language, *, width: int = WIDTH, is_coloured: bool = False
) -> bytes:
    """Return the advice in a format: text, json, html or md."""
    return render_page(
        advice, lambda: serving_page(advice, language), form, language, width=width, is_coloured=is_coloured
    )


def serving_page(advice: ServingAdvice, language: Language) -> Document:
    """Return the page."""
    _ = language.gettext
    chosen = _chosen(advice)
    made = spoken_date(advice.created_at[:10], language)
    return Document(
        question=Paragraph(_question(advice, language)),
        verdict=Paragraph(_verdict(advice, chosen, language)),
        lead=tuple(Paragraph(text) for text in _lead(advice, chosen, language)),
        notes=(),
        sections=tuple(section for section in _sections(advice, language) if section.blocks),
        colophon=_("Made by advisor {version} on {date}.").format(version=advice.program_version, date=made),
        tier=None if chosen is None else chosen.tier,
    )


def question_title(advice: ServingAdvice, language: Language) -> str:
    """Return what is run, as a ready-made job says it, or the model's name."""
    question = advice.question
    return question.titles.get(language.code, language.gettext("Run {model}").format(model=advice.title))


def _chosen(advice: ServingAdvice) -> ServingOption | None:
    return next((one for one in advice.options if one.id == advice.chosen), None)


def _question(advice: ServingAdvice, language: Language) -> str:
    job = advice.question.job
    users = language.ngettext("{n} user at once", "{n} users at once", job.users).format(n=language.number(job.users))
    text = language.ngettext(
        "{title} · weights in {weights} · {users} · {answers} answer a month",
        "{title} · weights in {weights} · {users} · {answers} answers a month",
        round(advice.question.answers_per_month),
    )
    if wait_s := advice.question.longest_wait_s:  # that somebody set
        wait = language.gettext("an answer begins within {duration}")
        text += f" · {wait.format(duration=quantities.duration(wait_s, language))}"
    return text.format(
        title=question_title(advice, language),
        weights=weights_name(job.weights),
        users=users,
        answers=language.number(advice.question.answers_per_month),
    )


def _verdict(advice: ServingAdvice, chosen: ServingOption | None, language: Language) -> str:
    _ = language.gettext
    if chosen is None:
        return _("Nothing that is known here runs {model} like this.").format(model=advice.title)
    text = _VERDICTS[chosen.tier]
    if _needs_patience(advice, chosen):
        return _(_PATIENTLY_HERE).format(
            model=advice.title,
            option=option_name(chosen, language),
            pace=pace_phrase(chosen.prediction.decode_tokens_per_s, language),
            tokens=_tokens(chosen, language),
            first=quantities.duration(chosen.prediction.first_token_s, language),
        )
    if chosen.tier == "this_computer":
        is_late = any(_later(advice, chosen, language))
        text = _NEARLY_HERE if any(_slower(advice, chosen, language)) else _LATE_HERE if is_late else text
    elif (here := _runs_here(advice)) is not None:
        return f"{_as_it_runs(advice, here, language)} {_for_more(advice, here, chosen, language)}"
    return _(text).format(model=advice.title, option=option_name(chosen, language))


def _needs_patience(advice: ServingAdvice, option: ServingOption) -> bool:
    """Return whether this computer is enough though it begins later than people like: nobody set a limit."""
    is_free = advice.question.longest_wait_s is None and option.tier == "this_computer"
    return is_free and as_told(option.prediction.first_token_s) > as_told(advice.question.looked_for_wait_s)


def _runs_here(advice: ServingAdvice) -> ServingOption | None:
    """Return what of this computer runs the model, though not as fast as it should; None: nothing does."""
    slow = [one for one in advice.options if one.tier == "this_computer" and one.obstacle in _SLOW]
    return min(slow, key=lambda one: (one.obstacle == "too_slow", one.prediction.first_token_s), default=None)


def _as_it_runs(advice: ServingAdvice, here: ServingOption, language: Language) -> str:
    """Return how the model runs on this computer: who is told to buy first has just read that it does."""
    text = language.gettext("{model} runs here: {tokens}, but an answer only begins after {first}.")
    if here.obstacle == "too_slow":
        text = language.gettext("{model} runs here, but slowly: {tokens}, and an answer begins after {first}.")
    first = quantities.duration(here.prediction.first_token_s, language)
    return text.format(model=advice.title, tokens=_tokens(here, language), first=first)


def _tokens(option: ServingOption, language: Language) -> str:
    """Return how fast it writes, for each user where there are several."""
    found = option.prediction
    rate = language.significant(found.decode_tokens_per_s, 2)
    count = 1 if rate == "1" else 2
    tokens = language.ngettext("one token a second", "{rate} tokens a second", count)
    if found.job.users > 1:
        tokens = language.gettext("{tokens} for each user").format(tokens=tokens)
    return tokens.format(rate=rate)


def _for_more(advice: ServingAdvice, here: ServingOption, chosen: ServingOption, language: Language) -> str:
    """Return what to get for what is looked for, whether that was asked or is usual."""
    lacking = tuple(one for one in here.obstacles if one in _SLOW)
    aim = language.gettext(_AIMS[lacking]).format(
        wait=quantities.duration(advice.question.looked_for_wait_s, language),
        least=language.significant(advice.question.looked_for_tokens_per_s, 2),
    )
    return language.gettext(_GET[chosen.tier]).format(aim=aim, option=option_name(chosen, language))


def option_name(option: ServingOption, language: Language) -> str:
    """Return the name of an option, with the provider where it is rented."""
    if option.offer is None:
        return option.title
    provider = PROVIDERS.get(option.offer.provider, option.offer.provider)
    return language.gettext("{device} at {provider}").format(device=option.title, provider=provider)


def _with_computer(option: ServingOption, language: Language) -> str:
    """Return the name of an option beside its price, which is of the computer around a card as well."""
    name = option_name(option, language)
    return language.gettext("{name} in a new PC").format(name=name) if option.host_usd > 0 else name


def _lead(advice: ServingAdvice, chosen: ServingOption | None, language: Language) -> Iterator[str]:
    _ = language.gettext
    if advice.load_ratio:
        yield speed_doubt(advice.load_ratio, language)
    if chosen is None:
        yield from _beyond_limits(advice, language)
        yield from _why_not_here(advice, language)
        return
    waiting = _or_wait(advice, chosen)
    if waiting is not None:
        text = (
            _("Or keep what you have ({device}), and wait.")
            if waiting.month_usd is None
            else _("Or keep what you have ({device}), and wait: that costs {money} a month.")
        )
        yield text.format(
            device=waiting.title,
            money=_money(waiting.month_usd or 0.0, advice, language),
        )
    if _needs_patience(advice, chosen):
        yield from _trade(advice, chosen, language)
    yield _speed(chosen, language, is_named=chosen.tier != "this_computer" or _needs_patience(advice, chosen))
    if chosen.tier == "this_computer":
        yield from _slower(advice, chosen, language)
        yield from _later(advice, chosen, language)
    yield _("Memory: {sentence}.").format(sentence=memory_sentence(chosen.prediction.memory, language))
    yield from _cost(advice, chosen, language)
    if chosen.tier != "this_computer" and waiting is None:
        yield from _why_not_here(advice, language)
    if not _needs_patience(advice, chosen):  # where that stands above
        yield from _trade(advice, chosen, language)
    found = chosen.prediction
    phrase = sureness(found.decode_tokens_per_s, found.decode_interval, language, "speed")
    yield _("How sure the speed is: {phrase}.").format(phrase=phrase)


def _or_wait(advice: ServingAdvice, chosen: ServingOption) -> ServingOption | None:
    """Return what of this computer only begins too late and costs far less: nobody need buy who can wait."""
    late = [one for one in advice.options if one.tier == "this_computer" and one.obstacles == ("waits_too_long",)]
    best = min(late, key=lambda one: one.prediction.first_token_s, default=None)
    if best is None or (best.month_usd or 0.0) >= _WORTH_RATIO * (chosen.month_usd or 0.0):
        return None  # what nobody publishes the power of costs its electricity alone, too
    return best


def _beyond_limits(advice: ServingAdvice, language: Language) -> Iterator[str]:
    """Yield what would do but for the user's own limits; else what to ask for instead."""
    _ = language.gettext
    texts: dict[tuple[ServingObstacle, ...], str] = {
        ("budget",): _("{option} would do, but costs more than your budget."),
        ("data_must_stay",): _("{option} would do, if the data might leave."),
        ("data_must_stay", "budget"): _(
            "{option} would do, if the data might leave, but costs more than your budget as well."
        ),
    }
    would: dict[tuple[ServingObstacle, ...], ServingOption] = {}
    for one in advice.options:
        if one.obstacles in texts:
            would.setdefault(one.obstacles, one)
    for limits, one in would.items():
        yield texts[limits].format(option=option_name(one, language))
    if not would:
        yield _("Ask for fewer users, a smaller model, or weights of fewer bits (--weights), or allow slower answers.")
        if advice.question.job.users > 1 and any(one.obstacle in _SLOW for one in advice.options):
            yield _(
                "Speeds are those of llama.cpp. A program made for many users at once, such as vLLM, may be much "
                "faster on the same cards; that is not modelled here."
            )


def _speed(option: ServingOption, language: Language, *, is_named: bool) -> str:
    """Return how fast it is; by its name where others were spoken of before."""
    _ = language.gettext
    found = option.prediction
    ends = found.decode_interval
    text = _("It writes about {rate} tokens a second ({low} to {high}): {pace}.")
    if found.job.users > 1:
        text = _("Each user gets about {rate} tokens a second ({low} to {high}): {pace}.")
    elif is_named:
        text = _("{device} writes about {rate} tokens a second ({low} to {high}): {pace}.")
    rate = text.format(
        device=option.title,
        rate=language.significant(found.decode_tokens_per_s, 2),
        low=language.significant(ends.low, 2),
        high=language.significant(ends.high, 2),
        pace=pace_phrase(found.decode_tokens_per_s, language),
    )
    begins = (
        _("An answer begins after {first} and ends after {last}, when all ask at the same moment.")
        if found.job.users > 1
        else _("An answer begins after {first} and ends after {last}.")
    )
    return f"{rate} " + begins.format(
        first=quantities.duration(found.first_token_s, language), last=quantities.duration(found.answer_s, language)
    )


def _slower(advice: ServingAdvice, option: ServingOption, language: Language) -> Iterator[str]:
    """Yield by how little this computer writes more slowly than somebody asked, where it is enough all the same.

    Where nobody asked, how it feels to read along is said as it is.
    """
    found, least = option.prediction.decode_tokens_per_s, advice.question.least_tokens_per_s or 0.0
    told, asked = (language.significant(one, 2) for one in (found, least))
    if found < least and told != asked:
        text = language.gettext("A little slower than asked: {rate} instead of {least} tokens a second.")
        yield text.format(rate=told, least=asked)


def _later(advice: ServingAdvice, option: ServingOption, language: Language) -> Iterator[str]:
    """Yield by how little this computer begins later than somebody asked, where the times as they are told say so."""
    _, wait_s, first_s = language.gettext, advice.question.longest_wait_s or 0.0, option.prediction.first_token_s
    first, wait = (quantities.duration(one, language) for one in (first_s, wait_s))
    if first == wait or not 0 < wait_s < first_s:
        return
    yield _("A little later than asked: it begins after {first} instead of {wait}.").format(first=first, wait=wait)


def _cost(advice: ServingAdvice, option: ServingOption, language: Language) -> Iterator[str]:
    _ = language.gettext
    if option.month_usd is None or option.running_usd is None or option.million_tokens_usd is None:
        yield _("What it costs is not known: nobody publishes what it draws.")
        return
    text = (
        _("It costs {month} of electricity a month for {answers}, {million} for each million tokens written.")
        if option.tier == "this_computer"
        else _("It costs {month} a month for {answers}, {million} for each million tokens written.")
        if not option.purchase_usd
        else _(
            "It costs {once} once; over {months}, minus its resale value, and with electricity, that is {month} a "
            "month for {answers}, {million} for each million tokens written."
        )
    )
    count = advice.question.answers_per_month
    answers = language.ngettext("{n} answer", "{n} answers", round(count)).format(n=language.number(count))
    yield text.format(
        answers=answers,
        once=_price(option.purchase_usd, advice, language),
        months=quantities.months(advice.circumstances.horizon_months, language),
        month=_money(option.month_usd, advice, language),
        million=_money(option.million_tokens_usd, advice, language),
    )
    if option.host_usd:
        text = _("{money} of the purchase is for the PC it goes into.")
        yield text.format(money=_money(option.host_usd, advice, language))


def _why_not_here(advice: ServingAdvice, language: Language) -> Iterator[str]:
    """Yield why this computer is not the answer, of its fastest device, as far as the headline has not said it."""
    _ = language.gettext
    here = [one for one in advice.options if one.tier == "this_computer" and one.obstacle is not None]
    if not here:
        return
    best = max(here, key=lambda one: (one.obstacle != "does_not_fit", one.prediction.decode_tokens_per_s))
    if best.obstacle == "does_not_fit":
        text = _("On your computer: {memory}.")
        yield text.format(memory=memory_sentence(best.prediction.memory, language))
        return
    if advice.chosen is None or _runs_here(advice) is None:
        yield _("On your computer ({device}): {tokens}, and an answer begins after {first}.").format(
            device=best.title,
            tokens=_tokens(best, language),
            first=quantities.duration(best.prediction.first_token_s, language),
        )
    if advice.question.least_tokens_per_s is None and advice.question.longest_wait_s is None:
        text = _(
            "You did not say how fast it must be: we look for {rate} tokens a second, about as fast as "
            "people read, and for an answer that begins within {wait}; on your own computer {patience} would do."
        )
        wait, patience = (
            quantities.duration(one, language)
            for one in (advice.question.looked_for_wait_s, advice.question.patience_s)
        )
        least = language.significant(advice.question.looked_for_tokens_per_s, 2)
        yield text.format(rate=least, wait=wait, patience=patience)


def _trade(advice: ServingAdvice, chosen: ServingOption, language: Language) -> Iterator[str]:
    """Yield what the best of the other tiers would cost, what does nearly, and when a purchase has paid for itself.

    Beside a computer that is enough only what is at least twice as fast is worth a word, or what begins sooner where
    that takes patience.
    """
    _ = language.gettext
    is_here, is_late = chosen.tier == "this_computer", _needs_patience(advice, chosen)
    does = [one for one in advice.options if one.obstacle is None and one.month_usd is not None]
    if is_here and not is_late:
        does = [one for one in does if _is_twice_as_fast(one, chosen)]
    texts = _SOONER if is_late else _TWICE if is_here else _TRADES
    tiers: tuple[Tier, ...] = ("single_gpu", "cloud")
    for tier in tiers:
        found = next((one for one in does if one.tier == tier), None)
        if found is None or found.month_usd is None or tier == chosen.tier:
            continue
        yield _(texts[tier]).format(
            wait=quantities.duration(advice.question.looked_for_wait_s, language),
            money=_money(found.month_usd, advice, language),
            months=quantities.months(advice.circumstances.horizon_months, language),
            once=_price(found.purchase_usd, advice, language),
            option=_with_computer(found, language),
            rate=language.significant(found.prediction.decode_tokens_per_s, 2),
            times=quantities.factor(
                found.prediction.decode_tokens_per_s / chosen.prediction.decode_tokens_per_s, language
            ),
        )
    if not is_here:
        yield from _nearly(advice, chosen, language)
    if chosen.break_even_months is not None:
        text = _(
            "Against renting, the purchase has paid for itself after {months}, counting what it brings when it is sold."
        )
        yield text.format(months=quantities.months(chosen.break_even_months, language))


_TWICE_RATIO = 1.9
_NEARLY_RATIO = 1.5
"""Somebody who wanted an answer after ten seconds may well wait for fifteen, if that saves the money."""

_SLOW = ("too_slow", "waits_too_long")
_WORTH_RATIO = 0.75
"""Less than a quarter saved is not worth slower answers."""


def _is_twice_as_fast(option: ServingOption, chosen: ServingOption) -> bool:
    theirs, ours = option.prediction, chosen.prediction
    is_twice = theirs.decode_tokens_per_s >= _TWICE_RATIO * ours.decode_tokens_per_s
    return is_twice and theirs.first_token_s <= ours.first_token_s


def _nearly(advice: ServingAdvice, chosen: ServingOption, language: Language) -> Iterator[str]:
    """Yield the cheapest that is only a little too slow, or begins a little too late, and costs less."""
    _, question = language.gettext, advice.question
    wait_s = question.looked_for_wait_s or float("inf")
    patience_s = max(_NEARLY_RATIO * wait_s, usual_wait_s(question.job.prompt_tokens))
    near = [
        one
        for one in advice.options
        if one.obstacle in _SLOW
        and one != _or_wait(advice, chosen)
        and one.prediction.decode_interval.low * _NEARLY_RATIO >= question.looked_for_tokens_per_s
        and one.prediction.first_token_s <= patience_s
        and (one.offer is None or not advice.circumstances.data_must_stay)
        and one.month_usd is not None
        and one.month_usd < _WORTH_RATIO * (chosen.month_usd or 0.0)
    ]
    best = min(near, key=lambda one: one.month_usd or 0.0, default=None)
    if best is None:
        return
    text = _(
        "{option} would do for {money} a month, if {rate} tokens a second for each user, the first after {first}, are "
        "enough."
    )
    yield text.format(
        option=_with_computer(best, language),
        money=_money(best.month_usd or 0.0, advice, language),
        rate=language.significant(best.prediction.decode_interval.low, 2),
        first=quantities.duration(best.prediction.first_token_s, language),
    )


def _sections(advice: ServingAdvice, language: Language) -> Iterator[Section]:
    _ = language.gettext
    yield Section("options", _("Ways to run it"), (_options_table(advice, language),))
    yield Section("here", _("Models that your computer runs fast enough"), _here(advice, language))
    yield Section("asked", _("What was asked"), (_asked(advice, language),))
    yield Section("method", _("How it is counted"), (Bullets(tuple(_method(advice, language))),))


def shown_options(advice: ServingAdvice) -> list[ServingOption]:
    """Return the first of each tier in their order, the advised one at the top."""
    shown: dict[Tier, list[ServingOption]] = {}
    chosen = _chosen(advice)
    for one in advice.options:
        if one.tier == "cluster" and chosen is not None and chosen.tier != "cluster":
            continue  # nobody links machines for what one of them does
        of_tier = shown.setdefault(one.tier, [])
        if len(of_tier) < (_SHOWN[one.tier] if one.obstacle is None else 1):
            of_tier.append(one)
    kept = {one.id for some in shown.values() for one in some}
    return [one for one in advice.options if one.id in kept]


def _options_table(advice: ServingAdvice, language: Language) -> Table:
    _ = language.gettext
    shown = shown_options(advice)
    return Table(
        header=(
            _("Option"),
            _("What it is"),
            _("Tokens a second"),
            _("First token"),
            _("Memory"),
            _("A month"),
            _("Million tokens"),
            _("Beside our pick"),
        ),
        rows=tuple(_option_row(one, advice, language) for one in shown),
        numeric=frozenset({2, 3, 4, 5, 6}),
        minor=frozenset({1, 4}),
        marked=next((place for place, one in enumerate(shown) if one.id == advice.chosen), None),
        tiers=tuple(one.tier for one in shown),
    ).without_empty()


def _option_row(option: ServingOption, advice: ServingAdvice, language: Language) -> tuple[str, ...]:
    _ = language.gettext
    found = option.prediction
    fits = found.memory.fits is not False
    return (
        option_name(option, language),
        tier_name(option.tier, language),
        language.significant(found.decode_tokens_per_s, 2) if fits else "",
        quantities.duration(found.first_token_s, language) if fits else "",
        quantities.memory(found.memory.total_bytes, language),
        _money(option.month_usd, advice, language) if option.month_usd is not None and fits else "",
        _money(option.million_tokens_usd, advice, language) if option.million_tokens_usd is not None and fits else "",
        "; ".join(_why_not(option, advice, language)),
    )


def _why_not(option: ServingOption, advice: ServingAdvice, language: Language) -> Iterator[str]:
    """Yield all that stands in the way; that it may be too slow only of what is fast enough by the best guess."""
    least = advice.question.looked_for_tokens_per_s
    for one in option.obstacles:
        if one == "too_slow" and as_told(option.prediction.decode_tokens_per_s) < as_told(least):
            yield language.gettext("too slow")
        else:
            yield language.gettext(_OBSTACLES[one])


def _here(advice: ServingAdvice, language: Language) -> tuple[Block, ...]:
    _ = language.gettext
    if not advice.here:
        return (Paragraph(_("None of the known models is fast enough on your computer for this.")),)
    rows = here_rows(advice.here[-_SHOWN_HERE:], language)
    return (Table(header=here_heading(language), rows=tuple(rows), numeric=frozenset({1, 3, 4})),)


def _asked(advice: ServingAdvice, language: Language) -> Pairs:
    _ = language.gettext
    question, job = advice.question, advice.question.job
    hours = _("{hours} hours a month") if question.hours_per_month else _("only while it computes")
    rows = [
        (_("Model"), advice.title),
        (_("Weights"), weights_name(job.weights)),
        (_("Tokens read and written"), f"{language.number(job.prompt_tokens)} + {language.number(job.new_tokens)}"),
        (_("Room for tokens"), language.number(job.room)),
        (_("Users at once"), language.number(job.users)),
        (_("Answers a month"), language.number(question.answers_per_month)),
        (_("Stands ready"), hours.format(hours=language.number(question.hours_per_month))),
    ]
    return Pairs((*rows, *_limits(question, language)))


def _limits(question: ServingQuestion, language: Language) -> Iterator[tuple[str, str]]:
    """Yield how fast it must be, and whether somebody said so."""
    _ = language.gettext
    least, wait_s = question.looked_for_tokens_per_s, question.looked_for_wait_s
    if least:
        text = _("{rate} tokens a second")
        if question.least_tokens_per_s is None:
            text = _("not said; we look for {rate} tokens a second, about as fast as people read")
        yield _("At least for each user"), text.format(rate=language.significant(least, 2))
    if wait_s:
        text = "{wait}"
        if question.longest_wait_s is None:
            text = _("not said; we look for {wait}, and for {patience} at most on this computer")
        wait, patience = (quantities.duration(one, language) for one in (wait_s, question.patience_s))
        yield _("An answer begins within"), text.format(wait=wait, patience=patience)


def _method(advice: ServingAdvice, language: Language) -> Iterator[Item]:
    _ = language.gettext
    yield Item(
        _(
            "Speed is modelled: prompts are read at the rate of arithmetic, answers written at that of memory, checked "
            "on published rates of llama.cpp. Another computer is advised only if it is fast enough even at the slow "
            "end of its range. This computer is advised as soon as our best guess is fast enough, since to try it "
            "costs nothing. All users are taken to ask at the same moment."
        )
    )
    yield Item(
        _("People read 238 words of English a minute, and a token is about three quarters of a word."),
        source=READING_SOURCE,
    )
    yield Item(
        _(
            "A rented machine is paid for all hours in which it stands ready, and for keeping the weights. A computer "
            "draws its full power while it computes; while it waits, a bought one draws {watts} W from the socket, and "
            "this one {here} W."
        ).format(
            watts=language.number(advice.idle_power_w),
            here=language.number(advice.idle_power_w if advice.here_idle_power_w is None else advice.here_idle_power_w),
        )
    )
    dates = sorted({one.price_as_of for one in shown_options(advice) if one.price_as_of})
    if dates:
        yield Item(
            _("Prices are from {first} to {last}.").format(
                first=spoken_date(dates[0], language), last=spoken_date(dates[-1], language)
            )
        )
    if advice.question.source:
        source = advice.question.sources.get(language.code, advice.question.source)
        yield Item(source, lead=_("Where the numbers of the job are from"))


def _money(usd: float, advice: ServingAdvice, language: Language) -> str:
    return quantities.money(usd * advice.units_per_usd, advice.circumstances.currency, language)


def _price(usd: float, advice: ServingAdvice, language: Language) -> str:
    """Return the price of a purchase, with where it is one for whoever buys elsewhere; a page tells one such price."""
    money = _money(usd, advice, language)
    if advice.circumstances.country == "US":
        return money
    return f"{money} ({language.gettext('US price, before tax')})"
