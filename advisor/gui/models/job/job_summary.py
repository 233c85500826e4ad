"""The job in half a line: how many samples of what, how many kinds, how often through."""

from __future__ import annotations

from advisor.locale import Language
from advisor.records.job.workload import Workload
from advisor.report.words.samples import epoch_count, length_phrase, samples_phrase


def summary(workload: Workload, language: Language) -> str:
    """Return the job in half a line: how many of what, how many kinds, how often through."""
    return " · ".join(filter(None, (samples_phrase(workload, language), details(workload, language))))


def details(workload: Workload, language: Language) -> str:
    """Return how long each text is, how many kinds of samples, and how often through; empty where none is asked."""
    parts = [length_phrase(workload, language)]
    if workload.classes:
        parts.append(
            language.ngettext("{n} category", "{n} categories", workload.classes).format(
                n=language.number(workload.classes)
            )
        )
    if workload.method != "classical":
        text = language.ngettext("{n} epoch", "{n} epochs", 1 if workload.epochs == 1 else 2)
        parts.append(text.format(n=epoch_count(workload, language)))
    return " · ".join(filter(None, parts))
