"""What was measured, in words: the title of a case and the phrase of its result."""

from advisor.locale import Language
from advisor.records.measurement import Case, Measurement
from advisor.report import quantities

NETWORK_TITLES: dict[str, str] = {
    "article_cnn": "CNN",
    "simple_cnn": "SimpleCNN",
    "stacked_lstm": "LSTM",
    "densenet121": "DenseNet-121",
    "bert_base": "BERT base",
    "bert_large": "BERT large",
}


def case_title(case: Case, language: Language) -> str:
    """Return what a case measures, in plain words."""
    _ = language.gettext
    device = device_phrase(case.device, language)
    name = network_title(case.network)
    texts = {
        "matmul": _("Matrix product {size}, {precision}, on {device}"),
        "train": _("Training {network}, batch {batch}, {precision}, on {device}"),
        "infer": _("Applying {network}, batch {batch}, {precision}, on {device}"),
        "conv": _("Convolution {size}, {precision}, on {device}"),
        "bandwidth": _("Memory traffic on {device}"),
        "input": _("Preparing images on {device}"),
        "transfer": _("Copying data to {device}"),
        "launch": _("Starting operations on {device}"),
        "disk": _("Reading from the disk"),
        "threads": _("Matrix product with more and more threads, on {device}"),
        "sweep": _("Training {network} with larger and larger batches, on {device}"),
        "sustained": _("A minute of {work}, on {device}"),
        "profile": _("Where the time goes in training {network}, on {device}"),
        "xla_matmul": _("Matrix product {size} through JAX"),
        "xla_train": _("Training {network}, batch {batch}, through JAX"),
    }
    text = texts.get(case.program)
    if text is None:
        return _("{program} on {device}").format(program=case.program, device=device)
    return text.format(
        size=f"{case.size} × {case.size}",
        precision=case.precision,
        device=device,
        network=name,
        batch=case.batch_size,
        work=_("training {network}").format(network=name) if case.network else _("matrix products"),
    )


def network_title(name: str) -> str:
    """Return the name people use for a network of the catalogue."""
    return NETWORK_TITLES.get(name, name.replace("_", " "))


def device_phrase(device: str, language: Language) -> str:
    """Return the words for torch's name of a device, with the article a sentence needs."""
    _ = language.gettext
    kind, _colon, index = device.partition(":")
    if kind == "cpu":
        return _("the processor")
    if index in {"", "0"}:
        return _("the graphics card")
    return _("graphics card {n}").format(n=int(index) + 1 if index.isdigit() else index)


def device_title(device: str, language: Language) -> str:
    """Return the words for torch's name of a device, alone as in a table or a chart."""
    _ = language.gettext
    kind, _colon, index = device.partition(":")
    if kind == "cpu":
        return _("Processor")
    return _("Graphics card") if index in {"", "0"} else _("Graphics card {n}").format(n=int(index) + 1)


def measurement_phrase(measurement: Measurement, language: Language) -> str:
    """Return the result of a case, such as ``92 GFLOP/s`` or ``410 ms a step, 78 samples a second``."""
    if measurement.case.program in {"train", "infer"}:
        return _step_phrase(measurement, language)
    return _rate_phrase(measurement, language)


def _step_phrase(measurement: Measurement, language: Language) -> str:
    _ = language.gettext
    step = quantities.exact_seconds(measurement.median_s, language)
    if measurement.items_per_s is None:
        return _("{time} a step").format(time=step)
    rate = language.significant(measurement.items_per_s, 3)
    return _("{time} a step, {rate} samples a second").format(time=step, rate=rate)


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
