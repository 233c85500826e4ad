"""What was measured, in words: the title of a case and the phrase of its result."""

from collections.abc import Callable, Iterator
from typing import Final

from advisor.locale import N_, Language
from advisor.records.job.asked_job import FED_PROGRAM, JOB_PROGRAM
from advisor.records.results.measured.measurement import (
    CLASSES_PROGRAM,
    DECODE_PROGRAM,
    Case,
    Measurement,
    is_slowed,
)
from advisor.records.results.measured.profile import ProfileKind
from advisor.report.words import quantities

NETWORK_TITLES: dict[str, str] = {
    "article_cnn": "CNN",
    "simple_cnn": "SimpleCNN",
    "rnn_cell": "RNNCell",
    "lstm_cell": "LSTMCell",
    "stacked_lstm": "LSTM",
    "fused_lstm": "nn.LSTM",
    "densenet121": "DenseNet-121",
    "densenet121_transfer": "DenseNet-121",
    "densenet121_frozen": "DenseNet-121",
    "resnet50": "ResNet-50",
    "bert_base": "BERT base",
    "bert_large": "BERT large",
}
_VARIANTS: dict[str, str] = {
    "densenet121_transfer": N_("all layers trained"),
    "densenet121_frozen": N_("only the last layer trained"),
    "channels_last": N_("channels last"),
    "copy": N_("copy"),
    "triad": N_("triad"),
    "pinned": N_("pinned memory"),
    "pageable": N_("ordinary memory"),
    "augmented": N_("augmented"),
}
"""What tells one case from another of the same kind."""


def case_title(case: Case, language: Language) -> str:
    """Return what a case measures, in plain words; no two cases of a suite have the same."""
    _ = language.gettext
    device = device_phrase(case.device, language)
    texts = {
        "matmul": _("Matrix product {size}, {precision}, on {device}"),
        "train": _("Training {network}, batch {batch}, {precision}, on {device}"),
        JOB_PROGRAM: _("Your job: {network}, batch {batch}, {precision}, on {device}"),
        CLASSES_PROGRAM: _("Short samples of typical work, {precision}, on {device}"),
        DECODE_PROGRAM: _("Writing tokens with a small language model, on {device}"),
        "infer": _("Applying {network}, batch {batch}, {precision}, on {device}"),
        "conv": _("Convolution {size}, {precision}, on {device}"),
        "bandwidth": _("Memory traffic on {device}"),
        "input": _("Preparing images {size} on {device}"),
        "data": _("Loading your own data"),
        FED_PROGRAM: _("Your job fed from your own data: {network}, batch {batch}, {precision}, on {device}"),
        "transfer": _transfer_title(case, language),
        "launch": _("Starting operations on {device}"),
        "disk": _("Reading from the disk"),
        "threads": _("Matrix product with more and more threads, on {device}"),
        "sweep": _("Training {network} with larger and larger batches, on {device}"),
        "sustained": _("{time} of {work}, on {device}"),
        "profile": _("Where the time goes in training {network}, on {device}"),
        "kept_memory": _("Training {network}, batch {batch}, with freed memory kept, on {device}"),
        "xla_matmul": _("Matrix product {size} through JAX"),
        "xla_train": _("Training {network}, batch {batch}, through JAX"),
    }
    text = texts.get(case.program)
    if text is None:
        return _("{program} on {device}").format(program=case.program, device=device)
    title = text.format(
        size=f"{case.size} × {case.size}",
        precision=_precision_phrase(case),
        device=device,
        network=network_title(case.network),
        batch=case.batch_size,
        time=quantities.duration(_number(case.options.get("duration_s"), 60.0), language),
        work=_("training {network}").format(network=network_title(case.network))
        if case.network
        else _("matrix products"),
    )
    variants = ", ".join(_variants(case, language))
    return f"{title} ({variants})" if variants else title


def _precision_phrase(case: Case) -> str:
    short = case.options.get("autocast")
    if case.precision != "amp" or short is None:
        return case.precision
    return f"amp {short}" if short else "fp32"


def _transfer_title(case: Case, language: Language) -> str:
    _ = language.gettext
    to_device = case.options.get("to_device", True)
    return _("Copying data to {device}") if to_device else _("Copying data back from {device}")


def _variants(case: Case, language: Language) -> Iterator[str]:
    _ = language.gettext
    options = case.options
    found = [
        case.network,
        str(options.get("loop", "")),
        *(name for name in ("channels_last", "augmented") if options.get(name)),
    ]
    if case.program == "transfer":
        found.append("pinned" if options.get("pinned") else "pageable")
    yield from (_(_VARIANTS[name]) for name in found if name in _VARIANTS)
    if case.program == "input":
        workers = int(_number(options.get("workers"), 0.0))
        yield language.ngettext("{n} helping process", "{n} helping processes", workers).format(n=workers)


def _number(value: object, usual: float) -> float:
    """Return an option that should be a number of this world: reports read from files may hold anything."""
    is_number = isinstance(value, (int, float)) and 0 <= value <= _MOST
    return float(value) if is_number else usual  # type: ignore[arg-type]


_MOST = 1e9


def network_title(name: str) -> str:
    """Return the name people use for a network of the catalogue."""
    return NETWORK_TITLES.get(name, name.replace("_", " "))


def network_phrase(name: str, language: Language) -> str:
    """Return the name of a measured network with what tells it from another of the same name."""
    variant = variant_phrase(name, language)
    return f"{network_title(name)} ({variant})" if variant else network_title(name)


def variant_phrase(name: str, language: Language) -> str:
    """Return what tells a measured network from another of the same name; empty where none has."""
    return language.gettext(_VARIANTS[name]) if name in _VARIANTS else ""


def device_phrase(device: str, language: Language) -> str:
    """Return the words for torch's name of a device, with the article a sentence needs."""
    _ = language.gettext
    kind, _colon, index = device.partition(":")
    if kind == "cpu":
        return _("the processor")
    if kind == "xla":
        return _("the device JAX uses")
    if index in {"", "0"}:
        return _("the graphics card")
    return _("graphics card {n}").format(n=_counted(index))


def device_title(device: str, language: Language) -> str:
    """Return the words for torch's name of a device, alone as in a table or a chart."""
    _ = language.gettext
    kind, _colon, index = device.partition(":")
    if kind == "cpu":
        return _("Processor")
    if kind == "xla":
        return "JAX"
    return _("Graphics card") if index in {"", "0"} else _("Graphics card {n}").format(n=_counted(index))


def _counted(index: str) -> str:
    """Return the number people count with; what is no number as it is."""
    return str(int(index) + 1) if index.isdecimal() and len(index) < _LONGEST_INDEX else index


_LONGEST_INDEX = 6


def measurement_phrase(measurement: Measurement, language: Language) -> str:
    """Return the result of a case, such as ``92 GFLOP/s`` or ``410 ms a step, 78 samples a second``."""
    phrases: dict[str, Callable[[Measurement, Language], str]] = {
        "train": _step_phrase,
        JOB_PROGRAM: _job_phrase,
        DECODE_PROGRAM: _decode_phrase,
        CLASSES_PROGRAM: _classes_phrase,
        "infer": _step_phrase,
        "xla_train": _step_phrase,
        "launch": _launch_phrase,
        "input": _input_phrase,
        "threads": _threads_phrase,
        "sweep": _sweep_phrase,
        "sustained": _sustained_phrase,
        "profile": _profile_phrase,
        "kept_memory": _kept_phrase,
    }
    phrase = phrases.get(measurement.case.program, _rate_phrase)(measurement, language)
    if measurement.details.get("is_processor"):  # JAX found nothing else
        return language.gettext("{result}, computed by the processor").format(result=phrase)
    return phrase


def marked(text: str, measurement: Measurement, language: Language) -> str:
    """Return the result of a case, which says so where others disturbed it: its spread alone makes it look sure."""
    return f"⚠ {said_disturbed(text, measurement, language)}" if is_slowed(measurement) else text


def said_disturbed(text: str, measurement: Measurement, language: Language) -> str:
    """Return the same without the sign, where that stands in a column of its own."""
    return language.gettext("Disturbed · {result}").format(result=text) if is_slowed(measurement) else text


def disturbed_marks(language: Language) -> str:
    """Return what the marks of a chart of rates mean where others disturbed a test of it."""
    return language.gettext(
        "Empty marks (⚠ in the table): that test was disturbed, so the computer may be faster there than the line says."
    )


def _step_phrase(measurement: Measurement, language: Language) -> str:
    _ = language.gettext
    step = quantities.exact_seconds(measurement.median_s, language)
    if measurement.items_per_s is None:
        return _("{time} a step").format(time=step)
    rate = language.significant(measurement.items_per_s, 3)
    return _("{time} a step, {rate} samples a second").format(time=step, rate=rate)


def _job_phrase(measurement: Measurement, language: Language) -> str:
    """Return what a step takes, and which part of that was worked out."""
    return "; ".join(filter(None, (_step_phrase(measurement, language), worked_out_phrase(measurement, language))))


_WHOLE_RATIO = 0.995


def worked_out_phrase(measurement: Measurement, language: Language) -> str:
    """Return which part of a job's step was worked out instead of measured; empty where none was."""
    share = measurement.details.get("measured_ratio", 1.0)
    if share < _WHOLE_RATIO:
        text = language.gettext("{share} of the time was measured, the rest is estimated")
        return text.format(share=language.percent(share))
    batch = measurement.details.get("measured_batch", measurement.case.batch_size)
    if batch >= measurement.case.batch_size:
        return ""
    if batch < 1:  # operations of a step, each with some of a sample's rows
        text = language.gettext("worked out from {share} of one sample")
        return text.format(share=language.percent(batch))
    return language.gettext("worked out from batches up to {batch}").format(batch=language.number(batch))


def _decode_phrase(measurement: Measurement, language: Language) -> str:
    rate = measurement.details.get("read_bytes_per_s")
    if not rate:
        return _rate_phrase(measurement, language)
    text = language.gettext("weights are read at {rate} GB/s")
    return text.format(rate=language.significant(rate / 1e9, 2))


def _launch_phrase(measurement: Measurement, language: Language) -> str:
    time = quantities.exact_seconds(measurement.median_s, language)
    return language.gettext("{time} for each").format(time=time)


def _input_phrase(measurement: Measurement, language: Language) -> str:
    rate = language.significant(measurement.items_per_s or 0.0, 3)
    return language.gettext("{rate} images a second").format(rate=rate)


def _threads_phrase(measurement: Measurement, language: Language) -> str:
    _ = language.gettext
    rate = _rate_phrase(measurement, language)
    gain, most = (
        measurement.details.get("gain_ratio"),
        max((x for s in measurement.series for x, _y in s.points), default=1),
    )
    if gain is None or most <= 1:
        return rate
    return _("{rate} with {n} threads, {times} times as fast as with one").format(
        rate=rate, n=language.number(most), times=quantities.factor(gain, language)
    )


def _sweep_phrase(measurement: Measurement, language: Language) -> str:
    _ = language.gettext
    details = measurement.details
    text = _("fastest with batches of {batch}: {rate} samples a second").format(
        batch=language.number(details.get("best_batch", measurement.items_per_iteration)),
        rate=language.significant(measurement.items_per_s or 0.0, 3),
    )
    unfit = details.get("first_batch_that_does_not_fit")
    if unfit is not None:
        return _("{result}; batches of {batch} do not fit in memory").format(result=text, batch=language.number(unfit))
    if details.get("ended_by_time") and "largest_batch_that_fits" in details:
        largest = language.number(details["largest_batch_that_fits"])
        return _("{result}; there was time for batches of up to {batch}").format(result=text, batch=largest)
    return text


def _sustained_phrase(measurement: Measurement, language: Language) -> str:
    _ = language.gettext
    is_training = measurement.case.program == "sustained" and measurement.case.network
    rate = _step_phrase(measurement, language) if is_training else _rate_phrase(measurement, language)
    lost = measurement.details.get("lost_ratio")
    if lost is None:
        return rate
    if lost < NO_LOSS_RATIO:
        return _("{rate}; no slower at the end than at the beginning").format(rate=rate)
    return _("{rate}; {lost} slower at the end than at the beginning").format(rate=rate, lost=language.percent(lost))


NO_LOSS_RATIO = 0.03
"""Repeated runs differ by as much."""


def _kept_phrase(measurement: Measurement, language: Language) -> str:
    step = _step_phrase(measurement, language)
    usual_s = measurement.details.get("usual_s")
    if usual_s is None:
        return step
    usual = quantities.exact_seconds(usual_s, language)
    return language.gettext("{step}; {time} where it is given back").format(step=step, time=usual)


def _profile_phrase(measurement: Measurement, language: Language) -> str:
    _ = language.gettext
    step = _("{time} a step").format(time=quantities.exact_seconds(measurement.median_s, language))
    shares = () if measurement.profile is None else measurement.profile.shares[:3]
    if not shares:
        return step
    parts = ", ".join(f"{_(PROFILE_KINDS[share.kind])} {language.percent(share.ratio)}" for share in shares)
    return _("{parts} of {step}").format(parts=parts, step=step)


PROFILE_KINDS: Final[dict[ProfileKind, str]] = {
    "attention": N_("attention"),
    "convolution": N_("convolution"),
    "copy": N_("copying"),
    "data_loading": N_("loading data"),
    "elementwise": N_("elementwise operations"),
    "idle": N_("nothing"),
    "matrix_product": N_("matrix products"),
    "normalization": N_("normalization"),
    "optimizer": N_("optimizer"),
    "other": N_("other operations"),
    "pooling": N_("pooling"),
    "recurrent": N_("recurrent layers"),
    "reduction": N_("sums and losses"),
}
"""Classes of work in a profile."""


def _classes_phrase(measurement: Measurement, language: Language) -> str:
    time = quantities.exact_seconds(measurement.median_s, language)
    return language.gettext("{time} in all").format(time=time)


def _rate_phrase(measurement: Measurement, language: Language) -> str:
    _ = language.gettext
    if measurement.flop_per_s is not None:
        text = quantities.flop_rate(measurement.flop_per_s, language)
        if measurement.peak_ratio is None:
            return text
        return _("{rate}, {share} of the peak").format(rate=text, share=language.percent(measurement.peak_ratio))
    if measurement.case.bytes_per_iteration:
        rate = measurement.case.bytes_per_iteration / measurement.median_s
        return f"{language.significant(rate / 1e9, 3)} GB/s"
    if measurement.items_per_s is not None:
        return _("{rate} a second").format(rate=language.significant(measurement.items_per_s, 3))
    return quantities.exact_seconds(measurement.median_s, language)
