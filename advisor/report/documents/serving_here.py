"""Which language models run on a computer, and how fast: the table of the window's page."""

import shlex
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from advisor.locale import Language
from advisor.records.job.serving import ServingPrediction
from advisor.records.job.serving_advice import READING_SOURCE, READING_TOKENS_PER_S, is_fluent
from advisor.report.content.blocks import Table
from advisor.report.provenance.record import Provenance
from advisor.report.words import quantities
from advisor.report.words.labels import basis_phrase
from advisor.units import GIB

_CARDS_GIB = (8, 12, 16, 24, 32, 48, 80, 96, 141, 192)
"""Memory of cards that are sold."""
_ABOUT_TWICE, _FAR_MORE = 1.5, 2.5
"""Times the speed of reading: from here on it is nearer to twice that speed, and to thrice."""
_GENERATE = ("--task", "generate", "--weights")


class NamedServing(NamedTuple):
    """A prediction, with the model's name as its makers write it."""

    title: str
    prediction: ServingPrediction


def weights_name(name: str) -> str:
    """Return the name of a format of weights as its makers write it: ``Q4_K_M``, ``fp16``."""
    return name.upper() if name.startswith("q") else name


def chosen_models(found: Sequence[NamedServing], words: str, *, only_fitting: bool) -> list[NamedServing]:
    """Return the models whose name has all words: those as fast as people read, slower ones, then what does not fit.

    Of those that fit the largest come first, for they answer best; of the others the smallest, for they need least.
    """
    wanted = words.casefold().split()
    shown = [
        one
        for one in found
        if all(word in f"{one.title} {one.prediction.model}".casefold() for word in wanted)
        and not (only_fitting and one.prediction.memory.fits is False)
    ]
    return sorted(shown, key=lambda one: _order(one.prediction))


def is_read_along(prediction: ServingPrediction) -> bool:
    """Return whether a model fits, and writes about as fast as people read."""
    return prediction.memory.fits is not False and is_fluent(prediction.decode_tokens_per_s)


def _order(prediction: ServingPrediction) -> tuple[bool, bool, float]:
    if prediction.memory.fits is False:
        return True, True, prediction.parameters
    return False, not is_read_along(prediction), -prediction.parameters


def models_table(shown: Sequence[NamedServing], language: Language) -> Table:
    """Return a row for each model: size, memory, where it runs, how fast, and what it needs where it does not fit."""
    _ = language.gettext
    devices = {_device(one.prediction) for one in shown if one.prediction.memory.fits is not False}
    table = Table(
        header=(
            _("Model"),
            _("Parameters"),
            _("Memory"),
            _("Tokens a second"),
            _("Begins after"),
            _("In practice"),
            *((_("Runs on"),) if len(devices) > 1 else ()),  # one name in all rows says nothing
        ),
        rows=tuple(tuple(_row(one, language, is_of_many=len(devices) > 1)) for one in shown),
        numeric=frozenset({1, 2, 3, 4}),
        minor=frozenset({1, 6} if len(devices) > 1 else {1}),
    )
    return table.with_origins(of_model(one, language) for one in shown)


def _device(found: ServingPrediction) -> str:
    return found.device if found.device_count == 1 else f"{found.device_count} × {found.device}"


def _row(one: NamedServing, language: Language, *, is_of_many: bool) -> Iterator[str]:
    _ = language.gettext
    found = one.prediction
    fits = found.memory.fits is not False
    yield one.title
    yield quantities.count(found.parameters, language)
    yield quantities.memory(found.memory.total_bytes, language)
    low, high = (language.fixed(end) for end in (found.decode_interval.low, found.decode_interval.high))
    rate = _("{rate} ({low} to {high})").format(rate=language.fixed(found.decode_tokens_per_s), low=low, high=high)
    yield rate if fits else ""
    yield quantities.duration(found.first_token_s, language) if fits else ""
    yield _pace(found, language) if fits else _("does not fit: {needed}").format(needed=_needed(found, language))
    if is_of_many:
        yield _device(found) if fits else ""


def model_sentence(one: NamedServing, language: Language) -> str:
    """Return what a model takes on this computer, and how fast it writes, in a sentence."""
    _ = language.gettext
    found = one.prediction
    memory = quantities.memory(found.memory.total_bytes, language)
    if found.memory.fits is False:
        text = _("{model} takes {memory} and does not fit: it {needed}.")
        return text.format(model=one.title, memory=memory, needed=_needed(found, language))
    text = _("{model} takes {memory} and writes about {rate} tokens a second here: {pace}.")
    rate = language.significant(found.decode_tokens_per_s, 2)
    return text.format(model=one.title, memory=memory, rate=rate, pace=_pace(found, language))


def _pace(found: ServingPrediction, language: Language) -> str:
    """Return how it feels to wait for it, beside how fast people read."""
    _ = language.gettext
    pace = pace_phrase(found.decode_tokens_per_s, language)
    if not found.memory.host_ratio:
        return pace
    share = language.percent(found.memory.host_ratio)
    return _("{pace}; {percent} of it in main memory").format(pace=pace, percent=share)


def pace_phrase(tokens_per_s: float, language: Language) -> str:
    """Return how a speed of writing feels beside that of reading: by one measure, in few words, wherever it is said."""
    _ = language.gettext
    if not is_fluent(tokens_per_s):
        return _("slower than you read")
    times = tokens_per_s / READING_TOKENS_PER_S
    if times < _ABOUT_TWICE:
        return _("about as fast as you read")
    return _("about twice as fast as you read") if times < _FAR_MORE else _("much faster than you read")


def _needed(found: ServingPrediction, language: Language) -> str:
    _ = language.gettext
    gib = found.memory.total_bytes / GIB
    card = next((size for size in _CARDS_GIB if size >= gib), None)
    if card is None:
        return _("needs several cards with {memory} together").format(
            memory=quantities.memory(found.memory.total_bytes, language)
        )
    return _("needs a card of {memory}").format(memory=quantities.memory(card * GIB, language))


def _reading_speed(language: Language) -> str:
    rate = language.significant(READING_TOKENS_PER_S, 2)
    return language.gettext("{rate} tokens a second").format(rate=rate)


def of_model(one: NamedServing, language: Language) -> Provenance:
    """Return where the numbers of a model come from."""
    _ = language.gettext
    found = one.prediction
    ends = _("{low} to {high}").format(
        low=language.significant(found.decode_interval.low, 2), high=language.significant(found.decode_interval.high, 2)
    )
    rate = language.significant(found.decode_tokens_per_s, 2)
    return Provenance(
        title=one.title,
        value=_("{rate} tokens a second").format(rate=rate),
        basis=basis_phrase(found.basis, language),
        inputs=(
            (_("Weights"), weights_name(found.weights)),
            (_("Device"), found.device),
            (
                _("Tokens read and written"),
                f"{language.number(found.job.prompt_tokens)} + {language.number(found.job.new_tokens)}",
            ),
            (_("Speed of reading"), _reading_speed(language)),
        ),
        method=_("prompts by the rate of arithmetic, writing by that of memory: each token reads all active weights"),
        source="; ".join((_("constants fitted on published rates of llama.cpp"), READING_SOURCE)),
        band=_("{range}, in eight of ten cases").format(range=ends),
        low=found.decode_interval.low,
        high=found.decode_interval.high,
        check=shlex.join(
            ("advisor", "--predict", found.model, "--on", found.device, *_GENERATE, found.weights),
        ),
    )
