"""Networks trained and applied: one row each, what shorter number formats bring, and how long a single answer takes."""

from collections.abc import Iterable, Iterator

from advisor.locale import Language
from advisor.records.results.measured.measurement import Benchmark, Measurement
from advisor.records.results.provenance import Provenance
from advisor.report.content.blocks import Block, Heading, Paragraph, Table
from advisor.report.content.measured.common import NOTHING, device_cell, format_of_case, memory, of_program, rate
from advisor.report.provenance.measurements import in_run
from advisor.report.words import quantities
from advisor.report.words.cases import device_phrase, network_phrase

_PERCENTILES = (50, 95, 99)
_SHORT = frozenset({"bf16", "fp16"})

Key = tuple[str, str, int]
"""Network, device and batch: what formats are compared within."""


def training(benchmark: Benchmark, language: Language) -> tuple[Block, ...]:
    """Return the trained networks, each in its first format."""
    _ = language.gettext
    firsts: dict[Key, Measurement] = {}
    for one in of_program(benchmark, "train", "xla_train"):
        firsts.setdefault(_key(one), one)
    if not firsts:
        return ()
    header = (
        _("Network"),
        _("Device"),
        _("Batch"),
        _("Format"),
        _("One step"),
        _("Samples/s"),
        _("Memory"),
        _("Spread"),
    )
    rows = tuple(_training_row(one, benchmark, language) for one in firsts.values())
    table = Table(header, rows, numeric=frozenset({2, 4, 5, 6, 7}), minor=frozenset({3, 7})).without_empty()
    return Heading(_("Training networks")), table.with_origins(
        in_run(one, benchmark, language) for one in firsts.values()
    )


def _key(one: Measurement) -> Key:
    return one.case.network, one.case.device, one.case.batch_size


def _training_row(one: Measurement, benchmark: Benchmark, language: Language) -> tuple[str, ...]:
    return (
        network_phrase(one.case.network, language),
        device_cell(one.case, benchmark, language),
        language.number(one.case.batch_size),
        format_of_case(one.case),
        quantities.exact_seconds(one.median_s, language),
        rate(one.items_per_s, language),
        memory(one.peak_memory_bytes, language),
        quantities.scatter(one.iqr_s / one.median_s / 2, language, 1) if len(one.samples_s) > 1 else NOTHING,
    )


def formats(benchmark: Benchmark, language: Language) -> tuple[Block, ...]:
    """Return networks measured in several number formats or layouts, each against fp32."""
    _ = language.gettext
    trained, applied = (_by_format(of_program(benchmark, program)) for program in ("train", "infer"))
    found = tuple(_format_rows(trained, applied, benchmark, language))
    if not found:
        return ()
    rows, origins = zip(*found, strict=True)
    header = (
        _("Network, batch"),
        _("Device"),
        _("Format"),
        _("Trained/s"),
        _("× fp32"),
        _("Applied/s"),
        _("× fp32"),
    )
    table = Table(header, rows, numeric=frozenset({3, 4, 5, 6}), origins=origins).without_empty()
    text = _(
        "Samples a second, and how many times as fast as in fp32: below 1 is slower, as not every processor "
        "computes faster in 16-bit. Training in 16-bit keeps the parameters in fp32 (mixed precision, amp); "
        "channels_last stores the colours of a pixel side by side."
    )
    sentences = (text, *_left_out_formats(benchmark, language))
    return Heading(_("Number formats and layouts")), Paragraph(" ".join(sentences)), table


def _left_out_formats(benchmark: Benchmark, language: Language) -> Iterator[str]:
    """Yield the devices that were trained on in one 16-bit format only, though products were measured in both."""
    for device in dict.fromkeys(one.case.device for one in benchmark.measurements):
        cases = [one.case for one in benchmark.measurements if one.case.device == device]
        trained = {str(case.options.get("autocast")) for case in cases if case.precision == "amp"} & _SHORT
        known = {str(case.precision) for case in cases if case.program in {"matmul", "infer"}} & _SHORT
        if len(trained) == 1 and known - trained:
            text = language.gettext(
                "On {device}, training in mixed precision was measured only in {measured}, to keep the check "
                "short, though the device computes in {other} as well: how fast it would be there is not known."
            )
            (measured,), (other,) = trained, known - trained
            yield text.format(device=device_phrase(device, language), measured=measured, other=other)


def _by_format(found: Iterable[Measurement]) -> dict[Key, dict[str, Measurement]]:
    groups: dict[Key, dict[str, Measurement]] = {}
    for one in found:
        groups.setdefault(_key(one), {})[_arithmetic(one)] = one
    return groups


def _arithmetic(one: Measurement) -> str:
    """Return the format of the products, and the layout: of training in mixed precision the short format."""
    short = one.case.options.get("autocast")
    text = short if isinstance(short, str) else one.case.precision
    return f"{text}, channels_last" if one.case.options.get("channels_last") else text


def _format_rows(
    trained: dict[Key, dict[str, Measurement]],
    applied: dict[Key, dict[str, Measurement]],
    benchmark: Benchmark,
    language: Language,
) -> Iterator[tuple[tuple[str, ...], tuple[Provenance | None, ...]]]:
    """Yield the cells of each row, and where the figures in them come from."""
    for key in dict.fromkeys([*trained, *applied]):
        groups = trained.get(key, {}), applied.get(key, {})
        names = list(dict.fromkeys(name for group in groups for name in group))
        if len(names) < 2:
            continue
        some = next(iter((groups[0] or groups[1]).values()))
        network = network_phrase(key[0], language)
        head = f"{network}, {language.number(key[2])}", device_cell(some.case, benchmark, language)
        for name in names:
            cells = (*head, name, *_against(groups[0], name, language), *_against(groups[1], name, language))
            one, other = (None if name not in group else in_run(group[name], benchmark, language) for group in groups)
            yield cells, (None, None, None, one, one, other, other)


def _against(group: dict[str, Measurement], name: str, language: Language) -> tuple[str, str]:
    """Return the rate in a format, and how many times that of plain fp32 it is."""
    one, plain = group.get(name), group.get("fp32")
    if one is None:
        return NOTHING if group else "", ""
    if plain is None or plain is one:
        return rate(one.items_per_s, language), ""
    return rate(one.items_per_s, language), quantities.factor(plain.median_s / one.median_s, language)


def inference(benchmark: Benchmark, language: Language) -> tuple[Block, ...]:
    """Return how long single answers take: the median, and what 95 and 99 of a hundred stay below."""
    _ = language.gettext
    found = [one for one in of_program(benchmark, "infer") if "call_p50_s" in one.details]
    if not found:
        return ()
    header = (
        _("Network"),
        _("Device"),
        _("Batch"),
        _("Format"),
        "p50",
        "p95",
        "p99",
        _("Samples/s"),
    )
    rows = tuple(_inference_row(one, benchmark, language) for one in found)
    table = (
        Table(
            header,
            rows,
            numeric=frozenset({2, 4, 5, 6, 7}),
        )
        .without_empty()
        .with_origins(in_run(one, benchmark, language) for one in found)
    )
    text = _("Of a hundred answers to a batch, 50, 95 and 99 come within these times.")
    if any(f"call_p{rank}_s" not in one.details for one in found for rank in _PERCENTILES):
        text += " " + _("A dash: too few calls fitted into the time to tell (20 for p95, 100 for p99).")
    return Heading(_("Waiting for an answer")), Paragraph(text), table


def _inference_row(one: Measurement, benchmark: Benchmark, language: Language) -> tuple[str, ...]:
    calls = (one.details.get(f"call_p{rank}_s") for rank in _PERCENTILES)
    return (
        network_phrase(one.case.network, language),
        device_cell(one.case, benchmark, language),
        language.number(one.case.batch_size),
        format_of_case(one.case),
        *(NOTHING if call_s is None else quantities.exact_seconds(call_s, language) for call_s in calls),
        rate(one.items_per_s, language),
    )
