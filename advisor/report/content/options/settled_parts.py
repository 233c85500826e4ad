"""Parts of which it is known without any measurement that they would change nothing."""

from advisor.locale import Language
from advisor.records.job.changes import WhatIf
from advisor.records.results.own_computer import best_here
from advisor.records.results.report import Report
from advisor.report.words import quantities


def is_settled(one: WhatIf, report: Report) -> bool:
    """Return whether a part changes nothing, however fast this computer is: there is enough of it, or it is there."""
    if one.kind == "disk":
        return _disk_kind(report) == "nvme"
    return one.kind == "memory" and _holds_job(report) and not _reads_again(report)


def settled_sentence(one: WhatIf, part: str, report: Report, language: Language) -> str:
    """Return why a part changes nothing that ``is_settled``."""
    best = best_here(report)
    memory = None if best is None or best.prediction is None else best.prediction.memory
    if one.kind == "disk" or memory is None or memory.available_bytes is None:
        return language.gettext("{part}: there is one already.").format(part=part)
    text = language.gettext("{part}: no difference, since the job takes {taken} of {whole}.")
    taken, whole = (quantities.memory(size, language) for size in (memory.total_bytes, memory.available_bytes))
    return text.format(part=part, taken=taken, whole=whole)


def _holds_job(report: Report) -> bool:
    best = best_here(report)
    memory = None if best is None or best.prediction is None else best.prediction.memory
    return memory is not None and memory.available_bytes is not None and memory.fits is True


def _disk_kind(report: Report) -> str | None:
    """Return the kind of the disk that the job's data are on."""
    return report.machine.host.disk.kind if report.data is None else report.data.disk.kind


def _reads_again(report: Report) -> bool:
    """Return whether each epoch may read pictures from a slow disk again: more memory might keep them."""
    memory = report.machine.host.memory
    if report.data is not None:
        return report.data.size_bytes > min(memory.available_bytes, memory.limit_bytes)
    return report.workload.input_kind == "jpeg" and _disk_kind(report) == "hdd"
