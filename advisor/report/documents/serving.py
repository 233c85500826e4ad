"""How fast a language model answers, as plain text: ``--predict … --task generate``, ``--list models --here``."""

from collections.abc import Iterator, Sequence

from advisor.locale import N_, Language
from advisor.records.base import Interval
from advisor.records.job.serving import LanguageModel, PublishedRate, ServingMemory, ServingPrediction
from advisor.report.documents.serving_here import weights_name
from advisor.report.words import quantities
from advisor.report.words.labels import basis_phrase, sureness

Row = tuple[str, ...]

_LIMITS = {
    "compute": N_("arithmetic"),
    "memory_bandwidth": N_("memory bandwidth: each token reads all active weights"),
    "launch": N_("starting the many small steps of a token"),
    "host_memory": N_("the layers that stay in the computer's own memory"),
}


def serving_text(prediction: ServingPrediction, language: Language) -> str:
    """Return a prediction with its inputs, rates, memory and what it rests on."""
    rows = [*_inputs(prediction, language), *_results(prediction, language)]
    widest = max(len(name) for name, _value in rows) + 2
    return "".join(f"{name:<{widest}}{value}\n" for name, value in rows)


def _inputs(prediction: ServingPrediction, language: Language) -> Iterator[Row]:
    _ = language.gettext
    job, count = prediction.job, prediction.device_count
    size = quantities.count(prediction.parameters, language)
    if prediction.active_parameters < prediction.parameters / 2:
        active = quantities.count(prediction.active_parameters, language)
        size = _("{all} parameters, {active} of them for each token").format(all=size, active=active)
    else:
        size = _("{all} parameters").format(all=size)
    yield _("Model"), f"{prediction.model}: {size}"
    yield _("Weights"), weights_name(prediction.weights)
    yield _("Device"), prediction.device if count == 1 else f"{count} × {prediction.device}"
    yield _("Tokens read and written"), f"{language.number(job.prompt_tokens)} + {language.number(job.new_tokens)}"
    if job.context is not None:
        yield _("Room for tokens"), language.number(job.room)
    if job.users > 1:
        yield _("Users at once"), language.number(job.users)


def _results(prediction: ServingPrediction, language: Language) -> Iterator[Row]:
    _ = language.gettext
    yield _("Writes"), _rate(prediction.decode_tokens_per_s, prediction.decode_interval, language)
    if prediction.job.users > 1:
        yield _("For all users"), _per_second(prediction.total_tokens_per_s, language)
    yield _("Reads the prompt"), _rate(prediction.prefill_tokens_per_s, prediction.prefill_interval, language)
    yield _("First token after"), quantities.exact_seconds(prediction.first_token_s, language)
    yield _("Whole answer after"), quantities.exact_seconds(prediction.answer_s, language)
    yield _("What holds it back"), _(_LIMITS[prediction.limit])
    yield _("Memory"), memory_sentence(prediction.memory, language)
    parts = _("weights {weights}, keys and values {cache}, the rest {work}")
    yield (
        _("What the memory is for"),
        parts.format(
            weights=quantities.memory(prediction.memory.weights_bytes, language),
            cache=quantities.memory(prediction.memory.cache_bytes, language),
            work=quantities.memory(prediction.memory.work_bytes, language),
        ),
    )
    sure = sureness(prediction.decode_tokens_per_s, prediction.decode_interval, language, "speed")
    yield _("How sure"), sure
    yield from ((_("Others measured"), _other(row, language)) for row in prediction.published)
    rests = _("{basis}, checked on published rates of llama.cpp")
    yield _("Rests on"), rests.format(basis=basis_phrase(prediction.basis, language))


def _other(row: PublishedRate, language: Language) -> str:
    _ = language.gettext
    text = (
        _("{rate} while writing {count} tokens ({source}, {date})")
        if row.kind == "decode"
        else _("{rate} while reading {count} tokens ({source}, {date})")
    )
    rate = _per_second(row.tokens_per_s or 0.0, language)
    return text.format(rate=rate, count=language.number(row.tokens), source=row.source, date=row.date)


def _per_second(rate: float, language: Language) -> str:
    return language.gettext("{rate} tokens a second").format(rate=language.significant(rate, 3))


def _rate(rate: float, interval: Interval, language: Language) -> str:
    ends = {"low": language.significant(interval.low, 2), "high": language.significant(interval.high, 2)}
    return f"{_per_second(rate, language)} ({language.gettext('{low} to {high}').format(**ends)})"


def memory_sentence(memory: ServingMemory, language: Language) -> str:
    """Return how much memory a model takes, of how much, and whether it fits."""
    _ = language.gettext
    if memory.available_bytes is None:
        return quantities.memory(memory.total_bytes, language)
    text = _("{needed}; there are {available} for a model")
    if memory.host_ratio:
        text = _("{needed}, {percent} of it in the computer's own memory; there are {available} for a model")
    elif not memory.fits:
        text = _("{needed}, which does not fit: there are {available} for a model")
    return text.format(
        needed=quantities.memory(memory.total_bytes, language),
        available=quantities.memory(memory.available_bytes, language),
        percent=language.percent(memory.host_ratio),
    )


def models_heading(language: Language) -> Row:
    """Return the heading of the table of models."""
    _ = language.gettext
    return _("Name"), _("Model"), _("Parameters"), _("Tokens at most")


def model_rows(models: Sequence[LanguageModel], language: Language) -> list[Row]:
    """Return a row for each known model."""
    return [
        (
            one.name,
            one.title,
            quantities.count(one.parameters, language),
            "" if one.context is None else language.number(one.context),
        )
        for one in models
    ]


def here_heading(language: Language) -> Row:
    """Return the heading of the table of models on this computer."""
    _ = language.gettext
    return _("Name"), _("Memory"), _("Runs on"), _("Writes, tokens a second"), _("Reads, tokens a second")


def here_rows(predictions: Sequence[ServingPrediction], language: Language) -> list[Row]:
    """Return a row for each model: where it runs here and how fast, or that it does not fit."""
    return [_here_row(one, language) for one in predictions]


def _here_row(one: ServingPrediction, language: Language) -> Row:
    _ = language.gettext
    memory = quantities.memory(one.memory.total_bytes, language)
    if one.memory.fits is False:
        return one.model, memory, _("does not fit"), "", ""
    where = one.device if one.device_count == 1 else f"{one.device_count} × {one.device}"
    if one.memory.host_ratio:
        where = _("{device}, {percent} in the computer's memory").format(
            device=where, percent=language.percent(one.memory.host_ratio)
        )
    low, high = (language.significant(end, 2) for end in (one.decode_interval.low, one.decode_interval.high))
    writes = f"{language.significant(one.decode_tokens_per_s, 2)} ({_('{low} to {high}').format(low=low, high=high)})"
    return one.model, memory, where, writes, language.significant(one.prefill_tokens_per_s, 2)
