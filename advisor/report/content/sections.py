"""The sections that carry the evidence: measurements, this computer, what is not known, how sure, how to read it."""

from collections.abc import Iterator

from msgspec.structs import replace

from advisor.locale import N_, Language
from advisor.records.hardware.machine import Accelerator, Machine
from advisor.records.job.prediction import Prediction
from advisor.records.results.diagnosis import Finding
from advisor.records.results.measured.measurement import Benchmark
from advisor.records.results.provenance import Provenance
from advisor.records.results.report import Report
from advisor.report.content.blocks import (
    Block,
    Bullets,
    Figure,
    Fold,
    Heading,
    Item,
    Pairs,
    Paragraph,
    Section,
    Table,
    with_origin,
)
from advisor.report.documents.accuracy import sureness_blocks
from advisor.report.provenance.measurements import in_run, of_run
from advisor.report.provenance.predictions import of_step
from advisor.report.provenance.verdict import of_finding
from advisor.report.words import quantities
from advisor.report.words.advice.verdict import chosen_option
from advisor.report.words.cases import case_title, marked, measurement_phrase
from advisor.report.words.diagnosis import (
    evidence_phrase,
    finding_sentence,
    finding_title,
    gain_sentence,
    remedy_sentence,
    told_remedies,
)
from advisor.report.words.labels import (
    CONFIDENCES,
    amount,
    basis_phrase,
    limit_phrase,
    option_confidence,
    part_phrase,
    spoken_date,
)
from advisor.report.words.learned import rests_on
from advisor.report.words.networks import network_name
from advisor.report.words.problems import condition_sentence, failure_sentence, gap_sentence
from advisor.report.words.samples import epoch_count, length_phrase, samples_phrase, steps_phrase, tells_samples

MAX_GAPS = 20


def question(report: Report, language: Language) -> str:
    """Return the job in one line: what, how much data, how often."""
    _ = language.gettext
    work, asked = report.workload, report.circumstances
    title = workload_title(report, language)
    parts = [title]
    if work.method in _ADAPTERS and _ADAPTERS[work.method].casefold() not in title.casefold():
        parts.append(_ADAPTERS[work.method])
    told = "" if tells_samples(title, work, language) else samples_phrase(work, language)
    parts += [told, length_phrase(work, language)]
    if work.epochs != 1:
        passes = max(2, round(work.epochs))
        text = language.ngettext("{n} epoch", "{n} epochs", passes)
        if work.method == "classical":  # an epoch is a tree
            text = language.ngettext("{n} tree", "{n} trees", passes)
        epochs = text.format(n=epoch_count(work, language))
        parts.append("" if title.endswith(f" {epochs}") else f"{epochs}{_usual_epochs(report, language)}")
    parts.append(steps_phrase(work, language))
    if work.task == "infer":
        text = _("inference") if work.precision == "amp" else _("inference in {precision}")
        parts.append(text.format(precision=work.precision))
    is_once = asked.is_once
    parts.append(_("once") if is_once else how_often(asked.runs_per_month, language))
    assumed = next((one.value for one in report.advice.facts if one.name == "deadline_s"), None)
    if asked.deadline_s is not None:
        parts.append(_("done within {duration}").format(duration=quantities.duration(asked.deadline_s, language)))
    elif isinstance(assumed, (int, float)):
        text = _("no deadline given ({duration} assumed)")
        parts.append(text.format(duration=quantities.duration(assumed, language)))
    if asked.budget_usd is not None:
        parts.append(_("for up to {amount}").format(amount=amount(asked.budget_usd, report, language)))
    if asked.data_must_stay:
        parts.append(_("data stays here"))
    return " · ".join(filter(None, parts))


def _usual_epochs(report: Report, language: Language) -> str:
    """Return how many epochs are usual, in brackets, where the job has more or fewer; empty where it has not."""
    work, usual = report.workload, report.usual_epochs
    if usual is None or work.method == "classical" or usual.low <= work.epochs <= usual.high:
        return ""
    text = language.gettext("({low} to {high} are usual)")
    return " " + text.format(low=language.number(usual.low), high=language.number(usual.high))


_ADAPTERS = {"lora": "LoRA", "qlora": "QLoRA"}
"""Ways of training that decide about memory more than all else; the same word in every language."""


def how_often(runs_per_month: float, language: Language) -> str:
    """Return how often the job runs, as people say it."""
    _ = language.gettext
    if runs_per_month == 1:
        return _("once a month")
    if abs(runs_per_month - 1 / 12) < 0.001:
        return _("once a year")
    if 0 < runs_per_month < 1:
        return _("once in {duration}").format(duration=quantities.months(1 / runs_per_month, language))
    return _("{runs} times a month").format(runs=language.number(runs_per_month, 1))


def workload_title(report: Report, language: Language) -> str:
    """Return what the job is called."""
    return network_name(language.regrouped(report.titles.get(language.code) or report.workload.title), language)


def diagnosis(report: Report, language: Language) -> Section:
    """Return what holds the computer back, the worst first."""
    items = tuple(
        Item(
            " ".join(part for part in _diagnosed(one, report, language) if part),
            lead=finding_title(one, language),
            source=evidence_phrase(one, report, language),
            origin=of_finding(one, report, language),
        )
        for one in report.findings
    )
    blocks = (Bullets(items),) if items else ()
    return Section("diagnosis", language.gettext("What holds this computer back"), blocks)


def _diagnosed(one: Finding, report: Report, language: Language) -> tuple[str, ...]:
    held = told_remedies(one, report)
    remedies = (remedy_sentence(code, language) for code in held)
    return finding_sentence(one, report, language), *remedies, gain_sentence(replace(one, remedies=held), language)


def measurements(report: Report, language: Language) -> Section:
    """Return what was measured, under which conditions, and what failed."""
    _ = language.gettext
    benchmark = report.benchmark
    title = _("What was measured")
    if benchmark is None:
        return Section("measurements", title, (Paragraph(_("Nothing was measured here.")),))
    from advisor.report.charts import report_charts
    from advisor.report.content.measured import measured_groups

    run = of_run(benchmark, language)
    blocks: list[Block] = [Paragraph(_taken(benchmark, language), run)]
    conditions = dict.fromkeys(condition_sentence(one, language) for one in benchmark.conditions)
    if conditions:
        blocks.append(Paragraph(_("What may have slowed it down:")))
        blocks.append(Bullets(tuple(Item(text) for text in conditions)))
    if brief := _brief(benchmark, language):
        blocks.append(Paragraph(brief))
    if epoch := _epoch(benchmark, language):
        blocks.append(epoch)
    chart = report_charts.matrix_rates(report, language)
    if chart is not None:
        blocks += [Heading(_("Matrix products")), Figure(chart)]
    blocks += measured_groups(benchmark, language)
    rows = tuple(_measurement_rows(benchmark, language))
    if rows:
        header = (_("Measured"), _("Result"), _("Spread"), _("Samples"), _("Remark"))
        table = Table(header, rows, numeric=frozenset({1, 2, 3})).without_empty()
        table = table.with_origins(in_run(one, benchmark, language) for one in benchmark.measurements)
        blocks.append(Fold(_("Every measurement"), table))
    failed = tuple(
        Item(
            f"{case_title(failure.case, language)}: {failure_sentence(failure, language)}.",
            origin=in_run(failure, benchmark, language),
        )
        for failure in benchmark.failures
    )
    if failed:
        blocks += [Heading(_("What could not be measured")), Bullets(failed)]
    return Section("measurements", title, tuple(with_origin(block, run) for block in blocks))


def _taken(benchmark: Benchmark, language: Language) -> str:
    _ = language.gettext
    count = len(benchmark.measurements)
    text = language.ngettext("{count} measurement in {duration}.", "{count} measurements in {duration}.", count)
    text = text.format(count=count, duration=quantities.duration(benchmark.wall_s, language))
    version = benchmark.environment.get("torch")
    return f"{text} " + _("PyTorch {version}.").format(version=version) if version else text


def _brief(benchmark: Benchmark, language: Language) -> str:
    """Return that of several cards only the first was measured at length; empty where there is one, or no long test."""
    cases = [one.case for one in benchmark.measurements] + [one.case for one in benchmark.failures]
    cards = dict.fromkeys(case.device for case in cases if case.device != "cpu" and not case.device.startswith("xla"))
    if benchmark.suite != "full" or len(cards) < 2:
        return ""
    return language.gettext("Of several graphics cards, the long tests ran on the first only.")


def _epoch(benchmark: Benchmark, language: Language) -> Paragraph | None:
    """Return how long the article's epoch of 1000 batches of 32 images takes here, beside the article's own figures."""
    _ = language.gettext
    steps = {
        one.case.device: one
        for one in benchmark.measurements
        if (one.case.program, one.case.network, one.case.batch_size) == ("train", "article_cnn", 32)
        and one.case.precision == "fp32"
    }
    processor = steps.pop("cpu", None)
    if processor is None:
        return None
    cpu = quantities.duration(1000 * processor.median_s, language)
    if not steps:
        text = _(
            "An epoch of the article's network (1,000 batches of 32 images) takes {cpu} on the processor. "
            "The article measured 413 s on a Core i7-10750H, and 43 s on a GeForce RTX 2060."
        )
        return Paragraph(text.format(cpu=cpu), in_run(processor, benchmark, language))
    text = _(
        "An epoch of the article's network (1,000 batches of 32 images) takes {card} on the graphics card "
        "and {cpu} on the processor, {times} times as long. The article measured 43 s and 413 s, {article_times} times."
    )
    card = min(steps.values(), key=lambda one: one.median_s)
    text = text.format(
        card=quantities.duration(1000 * card.median_s, language),
        cpu=cpu,
        times=quantities.factor(processor.median_s / card.median_s, language),
        article_times=quantities.factor(413 / 43, language),
    )
    return Paragraph(text, in_run(card, benchmark, language))


def _measurement_rows(benchmark: Benchmark, language: Language) -> Iterator[tuple[str, ...]]:
    for one in benchmark.measurements:
        spread = one.iqr_s / one.median_s if one.median_s > 0 else 0.0
        remarks = " ".join(condition_sentence(condition, language) for condition in one.conditions)
        yield (
            case_title(one.case, language),
            marked(measurement_phrase(one, language), one, language),
            quantities.scatter(spread / 2, language, 1),
            language.number(len(one.samples_s)),
            remarks,
        )


def machine(report: Report, language: Language) -> Section:
    """Return what this computer is."""
    rows = (*_host_rows(report.machine, language), *_card_rows(report.machine, language))
    return Section("machine", language.gettext("This computer"), (Pairs(rows, _of_machine(report, language)),))


def _of_machine(report: Report, language: Language) -> Provenance:
    """Return how the facts of this computer were read."""
    _ = language.gettext
    return Provenance(
        figure="/machine",
        title=_("This computer"),
        value=report.machine.host.cpu.name,
        basis=_("given by a file or by hand") if report.is_simulated else _("read from this computer"),
        method=_("the command below says how each fact was read"),
        date=spoken_date(report.created_at, language),
        check="advisor --doctor",
    )


_FORMS = {
    "laptop": N_("laptop"),
    "desktop": N_("desktop"),
    "server": N_("server"),
    "unknown": N_("kind not known"),
}
_ISOLATIONS = {
    "virtual_machine": N_("virtual machine"),
    "container": N_("container"),
    "wsl": N_("Windows Subsystem for Linux"),
}
_KINDS = {
    "discrete": N_("graphics card"),
    "integrated": N_("integrated graphics"),
    "virtual": N_("virtual display"),
    "datacenter": N_("data centre card"),
    "tpu": "TPU",
}


def _host_rows(computer: Machine, language: Language) -> Iterator[tuple[str, str]]:
    _ = language.gettext
    host = computer.host
    system = f"{host.os_name} {host.os_version}, {_(_FORMS[host.form_factor])}"
    if host.isolation != "none":
        system += f", {_(_ISOLATIONS[host.isolation])}"
    yield _("System"), system
    cores = host.cpu.physical_cores
    text = host.cpu.name
    if cores is not None:
        text += ", " + language.ngettext("{n} core", "{n} cores", cores).format(n=cores)
    threads = host.cpu.logical_cores
    text += ", " + language.ngettext("{n} thread", "{n} threads", threads).format(n=threads)
    if host.cpu.usable_cores < host.cpu.logical_cores:
        text += _(", {n} of them usable here").format(n=language.number(host.cpu.usable_cores, 1))
    yield _("Processor"), text
    yield _("Memory (RAM)"), quantities.memory(host.memory.limit_bytes, language)
    torch = computer.framework
    if torch.version is not None:
        yield "PyTorch", f"{torch.version} ({torch.built_for})" if torch.built_for else torch.version


def _card_rows(computer: Machine, language: Language) -> Iterator[tuple[str, str]]:
    _ = language.gettext
    if not computer.accelerators:
        yield _("Graphics card"), _("none found")
    for card in computer.accelerators:
        yield _("Graphics card"), _card(card, language)


def _card(card: Accelerator, language: Language) -> str:
    _ = language.gettext
    parts = [card.name, _(_KINDS[card.kind])]
    if card.memory_bytes is not None:
        parts.append(quantities.memory(card.memory_bytes, language))
    if card.unified_memory:
        parts.append(_("shares the main memory"))
    if card.driver_version is not None:
        parts.append(_("driver {version}").format(version=card.driver_version))
    if card.is_asleep:
        parts.append(_("asleep"))
    if card.is_overridden:
        parts.append(_("given by hand"))
    if not card.trains:
        parts.append(_("not used for training"))
    return ", ".join(parts)


def gaps(report: Report, language: Language) -> Section:
    """Return what is not known and why; what does not exist in this computer is no gap."""
    _ = language.gettext
    missing = [gap for gap in (*report.gaps, *report.machine.gaps) if gap.reason != "not_applicable"]
    texts = list(dict.fromkeys(gap_sentence(gap, language) for gap in missing))
    blocks: list[Block] = [Bullets(tuple(Item(text) for text in texts[:MAX_GAPS]))] if texts else []
    if len(texts) > MAX_GAPS:
        blocks.append(Paragraph(_("And {n} more, in the JSON report.").format(n=len(texts) - MAX_GAPS)))
    return Section("gaps", _("What we could not find out"), tuple(blocks))


def certainty(report: Report, language: Language) -> Section:
    """Return what the time rests on, where it goes, and how sure it is."""
    _ = language.gettext
    chosen = chosen_option(report)
    prediction = chosen.prediction if chosen is not None else None
    checked = () if report.validation is None else sureness_blocks(report.validation, language, report.workload)
    if chosen is None or prediction is None:
        return Section("certainty", _("How sure are we?"), checked)
    rows = [
        (_("The time is"), rests_on(prediction, language)),
        (_("How sure"), option_confidence(chosen, language)),
        (_("One step"), quantities.exact_seconds(prediction.time_per_step_s, language)),
        (_("Interval of a step"), _step_interval(prediction, language)),
        (_("What holds it back"), limit_phrase(prediction.limit, language)),
    ]
    if prediction.exchange_basis is not None:
        rows.append((_("Exchange between devices"), basis_phrase(prediction.exchange_basis, language)))
    parts = [part for part in prediction.parts if part.time_s > 0.005 * prediction.time_per_step_s]
    if parts:
        shares = ", ".join(
            f"{part_phrase(part.name, language)} {language.percent(part.time_s / prediction.time_per_step_s)}"
            for part in parts
        )
        rows.append((_("Where the time goes"), shares))
    pairs = Pairs(tuple(rows), of_step(prediction, chosen, report, language))
    return Section("certainty", _("How sure are we?"), (pairs, *checked))


def _step_interval(prediction: Prediction, language: Language) -> str:
    interval = prediction.interval
    return language.gettext("{low} to {high}, in {share} of cases").format(
        low=quantities.exact_seconds(interval.low, language),
        high=quantities.exact_seconds(interval.high, language),
        share=language.percent(interval.coverage_ratio),
    )


def how_to_read(report: Report, language: Language) -> Section:
    """Return what the words and figures of the report mean."""
    _ = language.gettext
    words = ", ".join(_(text) for text in CONFIDENCES.values())
    texts = [
        _("A number in brackets is the interval that holds the true value in four cases of five."),
        _("How sure a time is: {words}.").format(words=words),
        _("1 GB of memory is 1024³ bytes. GFLOP/s are billions of additions or multiplications a second."),
        _(
            "A purchase is paid once; the cost in {months} adds electricity or rent and deducts what resale brings."
        ).format(months=quantities.months(report.circumstances.horizon_months, language)),
    ]
    texts.append(_("Nothing in this report identifies you or your computer, and nothing was sent anywhere."))
    return Section("reading", _("How to read this"), (Bullets(tuple(Item(text) for text in texts)),))


def colophon(report: Report, language: Language) -> str:
    """Return program, version and date."""
    return language.gettext("Made by advisor {version} on {date}.").format(
        version=report.program_version, date=spoken_date(report.created_at, language)
    )
