"""What would make the job fit this computer, or end sooner on it, as a table and as sentences."""

from collections.abc import Iterable, Iterator
from typing import Final

from advisor.locale import N_, Language
from advisor.records.job.advice import HARDWARE_S
from advisor.records.job.changes import ChangeCode, Effect, JobChange, JobChanges, LeastMemory
from advisor.records.results.diagnosis import Finding
from advisor.records.results.own_computer import best_here
from advisor.records.results.report import Report
from advisor.report.content.blocks import Paragraph, Section, Table
from advisor.report.provenance.predictions import of_memory
from advisor.report.provenance.record import Provenance
from advisor.report.provenance.verdict import of_finding, of_slowing
from advisor.report.words import quantities
from advisor.report.words.advice.interference import lost_ratio
from advisor.report.words.advice.verdict import chosen_option
from advisor.report.words.diagnosis import COMMANDS, REMEDIES, gain_sentence, told_remedies
from advisor.report.words.labels import is_laptop, option_title

CHANGES: Final[dict[ChangeCode, tuple[str, str]]] = {
    # what is changed, and how it is said in a program
    "accumulation": (
        N_("each step in {value} parts"),
        N_("gradient accumulation: a smaller batch, optimizer.step() after every {value}"),
    ),
    "adamw_8bit": (N_("the 8-bit optimizer"), N_("bitsandbytes.optim.AdamW8bit")),
    "amp": (N_("mixed precision"), N_("torch.autocast, in 16-bit where it is safe")),
    "checkpointing": (N_("activations computed again"), N_("torch.utils.checkpoint, gradient_checkpointing_enable()")),
    "compiled": (N_("the network compiled"), N_("torch.compile(model)")),
    "fp16": (N_("16-bit weights"), N_("model.half()")),
    "fp32": (
        N_("32-bit numbers"),
        N_("without torch.autocast, .half() and .bfloat16(): this processor computes 16 bits more slowly"),
    ),
    "image_size": (N_("images of {value} pixels"), N_("resized when they are loaded")),
    "loaders": (N_("{value} loading processes"), N_("num_workers={value}")),
    "lora": (N_("LoRA"), N_("small matrices learn beside the frozen network (peft)")),
    "prepared": (N_("the data prepared beforehand"), N_("resized once and stored as arrays, or in large files")),
    "qlora": (N_("QLoRA"), N_("LoRA on 4-bit weights (peft, bitsandbytes)")),
    "quantised": (N_("4-bit weights"), N_("load_in_4bit (bitsandbytes), GPTQ or AWQ")),
    "sequence_length": (N_("sequences of {value} tokens"), N_("longer texts are cut, or split")),
    "together": (N_("all of it together"), ""),
}
_NOTICED = 0.05
"""Share by which a remedy must shorten a step to be told."""
_SEVERAL = 3.0
"""From so many times on they are told."""
TWICE = 1.9
"""As ``advisor.recommend.twice_as_fast`` has it: rounded times must not contradict what is said."""

EFFECTS: Final[dict[Effect, str]] = {
    "none": N_("no"),
    "hardly": N_("hardly: other roundings"),
    "other": N_("yes: check how good it still is"),
}


_EFFECTS_SAID: Final[dict[Effect, str]] = {
    "none": N_("The result stays as it is."),
    "hardly": N_("The result hardly changes."),
    "other": N_("The result may change: check how good it still is."),
}


def job_changes(report: Report, language: Language) -> Section:
    """Return what would help the job on this computer; empty where it does well as it is."""
    _ = language.gettext
    found = report.changes
    if found is None or report.advice.tier == "cluster" or found.run_s > HARDWARE_S:
        return Section("job_changes", "", ())
    header = (_("Proposed change"), _("Memory"), _("Time of a run"), _("Changes the result?"), _("How"))
    rows = tuple(_row(one, language) for one in _shown(found))
    origins = tuple((_origin(found, report, language),) * len(header) for _one in rows)
    table = Table(header, rows, numeric=frozenset({1, 2}), minor=frozenset({4}), origins=origins)
    shown = (table,) if rows else ()
    return Section("job_changes", change_title(report, language), (*change_sentences(report, language), *shown))


def _shown(found: JobChanges | None) -> tuple[JobChange, ...]:
    """Return the changes worth a line: after which it fits."""
    return () if found is None else tuple(one for one in found.changes if one.fits is not False)


def change_title(report: Report, language: Language) -> str:
    """Return what the changes are about: making it fit, or ending it sooner."""
    _, found = language.gettext, report.changes
    if found is not None and found.fits is False:
        return _("How to make it fit this computer")
    if found is not None and any(one.code == "accumulation" for one in found.changes):
        return _("How to make it fit this computer, or faster")
    return _("How to make it faster on this computer")


def change_sentences(report: Report, language: Language) -> Iterator[Paragraph]:
    """Yield what the job takes as it is, and the least that it could take; where it fits, what makes it faster free."""
    _ = language.gettext
    found = report.changes
    if found is not None and found.fits is not False:
        yield from free_speed(report, language)
        yield from free_remedies(report, language)
    if found is None or found.available_bytes is None:
        return
    if found.fits is not False:
        return
    parts = [_("As it is, it takes {whole} with its whole batch; {device} has {available}.")]
    if _count(found, report) > 1:
        parts = [_("As it is, it takes {whole} with its whole batch; {device} have {available} each.")]
    parts += [_least(one, _count(found, report), language) for one in found.least]
    if any(_seems_to_fit(one, found) for one in found.least):
        parts.append(_("That leaves too little for what PyTorch keeps aside."))
    if found.shards is not None and not is_laptop(report.machine):
        parts.append(_("Spread over {count} such cards (FSDP, DeepSpeed ZeRO), one sample on each, it would fit."))
    yield Paragraph(
        " ".join(parts).format(
            device=_device(found, report, language),
            whole=quantities.memory(found.whole_bytes, language),
            available=quantities.memory(found.available_bytes, language),
            count=found.shards,
        ),
        _origin(found, report, language),
    )


def _seems_to_fit(one: LeastMemory, found: JobChanges) -> bool:
    """Return whether a least reads as if it fitted, where nothing that is proposed for such a result does."""
    is_other = one.effect == "other"
    fits = any(change.fits and (change.effect == "other") == is_other for change in found.changes)
    return not fits and quantities.seems_to_fit(one.memory_bytes, found.available_bytes or 0)


def _least(one: LeastMemory, count: int, language: Language) -> str:
    """Return the least memory the job runs in, and what is changed for that."""
    _ = language.gettext
    text = _("The least for the same result is {least}: one sample at a time.")
    if one.effect == "other":
        text = _("Trained another way ({changes}), the least is {least}.")
    elif one.codes:
        text = _("The least for the same result is {least}: one sample at a time, with {changes}.")
    least = quantities.memory(one.memory_bytes, language)
    if count > 1:
        least = _("{memory} on each").format(memory=least)
    return text.format(least=least, changes=_names(one.codes, language))


def _names(codes: Iterable[ChangeCode], language: Language) -> str:
    """Return what is changed, in words; only changes without a number are made together."""
    return " + ".join(language.gettext(CHANGES[code][0]) for code in codes)


_WOULD_DO: Final = {
    # whether the answer is this computer's processor, whether the change trains otherwise
    (False, False): N_("Before you pay for it: {device} would do, with {what} ({memory}, {time} a run)."),
    (False, True): N_(
        "Before you pay for it: {device} would do, with {what} ({memory}, {time} a run), which trains otherwise: check "
        "how good the result is."
    ),
    (True, False): N_("Sooner on this computer: {device} would do, with {what} ({memory}, {time} a run)."),
    (True, True): N_(
        "Sooner on this computer: {device} would do, with {what} ({memory}, {time} a run), which trains otherwise: "
        "check how good the result is."
    ),
}


def change_that_would_do(report: Report, language: Language) -> Iterator[Paragraph]:
    """Yield that this computer would do after all, and in time, with a change that leaves the result as it is."""
    found, advice = report.changes, report.advice
    chosen = chosen_option(report)
    is_here = advice.tier == "this_computer"
    if found is None or found.fits is not False or (is_here and (chosen is None or chosen.id == found.option)):
        return
    deadline_s = next((one.value for one in advice.facts if one.name == "deadline_s"), None)
    limit_s = float(deadline_s) if isinstance(deadline_s, (int, float)) else float("inf")
    if is_here and chosen is not None and chosen.run_s is not None:
        limit_s = min(limit_s, chosen.run_s / TWICE)
    in_time = [one for one in found.changes if one.fits and one.run_s <= limit_s]
    same = (one for one in in_time if one.effect != "other")
    one = next(same, None) or next((one for one in in_time if one.code in ("lora", "qlora")), None)
    if one is None:
        return
    what, memory, time, _effect, _how = _row(one, language)
    text = language.gettext(_WOULD_DO[is_here, one.effect == "other"])
    said = text.format(device=_device(found, report, language), what=what, memory=memory, time=time)
    yield Paragraph(said, _origin(found, report, language))


def twice_changes(report: Report, language: Language) -> Iterator[Paragraph]:
    """Yield the first change, if one does, with which this computer itself is twice as fast and the result as it is."""
    found = report.changes
    if found is None or found.fits is False:
        return
    one = next((c for c in found.changes if c.fits and c.effect != "other" and TWICE * c.run_s <= found.run_s), None)
    if one is None:
        return
    what, _memory, time, _effect, how = _row(one, language)
    text = language.gettext("Twice as fast for nothing: {device} with {what} takes {time} a run ({how}).")
    times = found.run_s / one.run_s
    if times >= _SEVERAL:
        text = language.gettext("{times} times as fast for nothing: {device} with {what} takes {time} a run ({how}).")
    said = text.format(
        device=_device(found, report, language),
        what=what,
        time=time,
        how=how,
        times=language.significant(times, 1),
    )
    yield Paragraph(said, _origin(found, report, language))


def free_speed(report: Report, language: Language) -> Iterator[Paragraph]:
    """Yield that this computer may be faster for nothing, where other programs slowed the check."""
    found, factor = slowed(report)
    if found is None or factor < TWICE:
        return
    text = language.gettext("Close other programs first: it costs nothing.")
    least = without_others(report, language)
    yield Paragraph(f"{text} {least.text}", least.origin)


def without_others(report: Report, language: Language) -> Paragraph:
    """Return what a run here may take at least: the lower end of its range, so that one figure is told of it."""
    here, (found, factor) = best_here(report), slowed(report)
    if found is None or here is None or here.run_s is None or here.interval is None:
        return Paragraph("")
    text = language.gettext("A run here may then take less, though hardly below {time}.")
    low_s, _high_s = quantities.spoken_ends(here.run_s, here.interval.low, here.interval.high, language)
    said = text.format(time=quantities.duration(low_s, language))
    return Paragraph(said, of_slowing(found, factor, report, language))


def free_remedies(report: Report, language: Language) -> Iterator[Paragraph]:
    """Yield what is written in a line, costs nothing and leaves the result as it is, with how much faster it makes.

    What speeds the processor up is nothing to a run on the card.
    """
    if report.advice.tier != "this_computer":
        return
    chosen = chosen_option(report)
    for one in report.findings:
        if (chosen is not None and chosen.is_card and one.device == "cpu") or is_of_other_job(one, report):
            continue
        code = next(iter(told_remedies(one, report)), None)
        if code is not None and code in COMMANDS and one.gain is not None and one.gain.high > 1.0 + _NOTICED:
            remedy = language.gettext(REMEDIES[code])
            said = language.gettext("Free, with one line: {remedy}")
            said = said.format(remedy=remedy[:1].lower() + remedy[1:])
            yield Paragraph(f"{said} {gain_sentence(one, language)}", of_finding(one, report, language))


def is_of_other_job(one: Finding, report: Report) -> bool:
    """Return whether a line to copy was found to help another network or format, which says nothing of the job's."""
    code, job = next(iter(one.remedies), None), report.workload
    if code not in COMMANDS or one.network == "":
        return False
    measured = () if report.benchmark is None else report.benchmark.measurements
    formats = {each.case.precision for each in measured if each.case.network == one.network}
    return one.network != job.network or job.precision not in formats


def slowed(report: Report) -> tuple[Finding | None, float]:
    """Return what was found of other programs, and how many times as fast the job may be here without them.

    What they took while other things were measured says nothing of it, nor what they took of a processor that waits.
    """
    for one in () if report.is_simulated else report.findings:
        if one.remedies[:1] == ("close_programs",) and one.gain is not None:
            return one, 1.0 / (1.0 - lost_ratio(best_here(report), report))
    return None, 1.0


def change_lines(report: Report, language: Language) -> Iterator[Paragraph]:
    """Yield each change in a line, for where there is no room for a table."""
    found = report.changes
    for one in _shown(found):
        what, memory, time, _effect, _how = _row(one, language)
        text = language.gettext("{what}: {time} a run, {memory} of memory.")
        line = text.format(what=what[:1].upper() + what[1:], memory=memory, time=time)
        line = f"{line} {language.gettext(_EFFECTS_SAID[one.effect])}"
        yield Paragraph(line, None if found is None else _origin(found, report, language))


def _row(one: JobChange, language: Language) -> tuple[str, ...]:
    _ = language.gettext
    value = "" if one.value is None else language.number(one.value)
    what, how = (_(text).format(value=value) for text in CHANGES[one.code])
    if one.also:
        what, how = _names(one.also, language), "; ".join(_(CHANGES[code][1]) for code in one.also)
    if one.checkpointing:
        text = _("{change}, activations computed again")
        what = text.format(change=what)
    return (
        what,
        quantities.memory(one.memory_bytes, language),
        quantities.duration(one.run_s, language),
        _(EFFECTS[one.effect]),
        how,
    )


def _count(found: JobChanges, report: Report) -> int:
    return next((one.device_count for one in report.advice.options if one.id == found.option), 1)


def _device(found: JobChanges, report: Report, language: Language) -> str:
    option = next((one for one in report.advice.options if one.id == found.option), None)
    return "" if option is None else option_title(option, language)


def _origin(found: JobChanges, report: Report, language: Language) -> Provenance | None:
    option = next((one for one in report.advice.options if one.id == found.option), None)
    return None if option is None else of_memory(option, report, language)
