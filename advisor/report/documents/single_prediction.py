"""One prediction as plain text, as ``advisor --predict`` prints it."""

from collections.abc import Iterable, Iterator

from advisor.locale import Language
from advisor.records.hardware.device import Device
from advisor.records.job.prediction import MemoryEstimate, Prediction
from advisor.records.job.work import Network
from advisor.report.words import quantities
from advisor.report.words.advice.reasons import REASONS
from advisor.report.words.diagnosis import REMEDIES
from advisor.report.words.labels import limit_phrase, part_phrase, sureness
from advisor.report.words.learned import rests_on
from advisor.report.words.samples import takes_text
from advisor.report.words.sources import source_phrase

_CLASSICAL = "gradient_boosting"
_NO_CARD = REASONS["classical"]
_FIGURES = ("specifications", "peak", "fallback")


def prediction_text(
    prediction: Prediction,
    language: Language,
    device: Device | None = None,
    network: Network | None = None,
    *,
    is_measured: bool = True,
    remarks: Iterable[str] = (),
) -> str:
    """Return a prediction with its inputs, result, interval and what it rests on.

    Args:
        prediction: What is told.
        language: The user's.
        device: Whose figures it rests on, to name their source; None: nothing is said of it.
        network: What was predicted, to say how large each sample is; None: nothing is said of it.
        is_measured: Whether a job was measured on some device of this family.
        remarks: What else is worth knowing, a sentence each.
    """
    rows = [*_inputs(prediction, network, language), *_results(prediction, language)]
    if device is not None:
        rows += _grounds(device, language, is_measured=is_measured)
    rows += [(language.gettext("Worth knowing"), one) for one in remarks]
    widest = max(len(name) for name, _value in rows) + 2
    return "".join(f"{name:<{widest}}{value}\n" for name, value in rows)


def _inputs(prediction: Prediction, network: Network | None, language: Language) -> Iterator[tuple[str, str]]:
    _ = language.gettext
    count = prediction.device_count
    yield _("Network"), prediction.network
    yield _("Device"), prediction.device if count == 1 else f"{count} × {prediction.device}"
    yield _("Task"), _("training") if prediction.task == "train" else _("inference")
    yield _("Batch per device"), language.number(prediction.batch_size)
    if network is not None:
        yield from _sample(network, language)
    yield _("Precision"), _precision(prediction, language)
    if prediction.accumulation_steps > 1:
        yield _("Parts of a step"), language.number(prediction.accumulation_steps)


def _sample(network: Network, language: Language) -> Iterator[tuple[str, str]]:
    """Yield how large each sample is: the edge of an image, the length of a text."""
    _ = language.gettext
    if network.image_size is not None:
        yield _("Size of an image"), _("{edge} pixels").format(edge=language.number(network.image_size))
    elif network.sequence_length is not None and takes_text(network):
        yield _("Length of a text"), _("{n} tokens").format(n=language.number(network.sequence_length))


def _precision(prediction: Prediction, language: Language) -> str:
    if not prediction.tf32_convolutions:
        return prediction.precision
    text = language.gettext("{precision}, convolutions in TF32 as PyTorch does by default on this card")
    return text.format(precision=prediction.precision)


def _results(prediction: Prediction, language: Language) -> Iterator[tuple[str, str]]:
    _ = language.gettext
    interval = _("{low} to {high}").format(
        low=quantities.exact_seconds(prediction.interval.low, language),
        high=quantities.exact_seconds(prediction.interval.high, language),
    )
    yield _("Time of a step"), f"{quantities.exact_seconds(prediction.time_per_step_s, language)} ({interval})"
    yield _("Samples a second"), language.significant(prediction.samples_per_s, 3)
    if prediction.device_count > 1:
        yield _("Scaling efficiency"), language.percent(prediction.scaling_efficiency_ratio)
    yield _("What holds it back"), limit_phrase(prediction.limit, language)
    shares = ", ".join(
        f"{part_phrase(part.name, language)} {quantities.exact_seconds(part.time_s, language)}"
        for part in prediction.parts
        if part.time_s > 0
    )
    if shares:
        yield _("Where the time goes"), shares
    if prediction.memory is not None:
        yield _("Memory"), _memory(prediction.memory, language)
        yield from _ways_to_fit(prediction.memory, language)
    if prediction.network == _CLASSICAL:
        yield _("Worth knowing"), _(_NO_CARD)
    sure = sureness(prediction.time_per_step_s, prediction.interval, language)
    yield _("How sure"), sure
    yield _("Based on"), rests_on(prediction, language)


def _grounds(device: Device, language: Language, *, is_measured: bool) -> Iterator[tuple[str, str]]:
    """Yield where the figures of the device come from, and whether nobody measured its kind."""
    _ = language.gettext
    if not is_measured:
        yield (
            _("Worth knowing"),
            _(
                "No job on this kind of device is among the measurements: the interval is as wide as for other kinds "
                "unseen."
            ),
        )
    for source in dict.fromkeys(device.sources[group] for group in _FIGURES if group in device.sources):
        yield _("Figures of the device"), f"{source_phrase(source, language)}, {source.date}, {source.url}"


def _ways_to_fit(memory: MemoryEstimate, language: Language) -> Iterator[tuple[str, str]]:
    """Yield what would make it fit, where it does not: the easiest first, then over how many devices to spread it."""
    _ = language.gettext
    if memory.fits is not False:
        return
    texts: dict[str, str] = {**{str(code): text for code, text in REMEDIES.items()}, "amp": REMEDIES["shorter_format"]}
    ways = [texts[code] for code in memory.how_to_fit if code in texts and code != "shard"]
    if ways:
        yield _("What would help"), " ".join(_(text) for text in ways)
    if memory.devices_needed is not None and memory.devices_needed > 1:
        text = _("{count} of them, sharing the state of the training (FSDP, ZeRO)")
        yield _("Devices it takes"), text.format(count=language.number(memory.devices_needed))


def _memory(memory: MemoryEstimate, language: Language) -> str:
    _ = language.gettext
    if memory.available_bytes is None:
        return quantities.memory(memory.total_bytes, language)
    share = quantities.memory_of(memory.total_bytes, memory.available_bytes, language)
    if memory.fits:
        return _("{share}, fits").format(share=share)
    if memory.largest_batch:
        return _("{share}, does not fit; the largest batch that fits is {batch}").format(
            share=share, batch=memory.largest_batch
        )
    return _("{share}, does not fit").format(share=share)
