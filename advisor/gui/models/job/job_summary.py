"""The job in half a line: how many samples of what, how many kinds, how often through."""

from __future__ import annotations

from advisor.locale import Language
from advisor.records.job.workload import Workload
from advisor.report.words.samples import length_phrase, samples_phrase


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
        passes = max(1, round(workload.epochs))
        text = language.ngettext("{n} epoch", "{n} epochs", passes)
        parts.append(text.format(n=language.number(workload.epochs, 1)))
    return " · ".join(filter(None, parts))
