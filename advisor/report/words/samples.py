"""What a job trains on, in plain words: photos, texts, rows."""

import math
import re

from advisor.locale import Language
from advisor.records.job.sample_kind import LISTENING, SERIES, SampleKind, sample_kind
from advisor.records.job.work import Network
from advisor.records.job.workload import Workload

_ALL_FIGURES = 1_000_000
"""Up to here people count; beyond, they say "10 million"."""
EPOCH_DECIMALS = 3
"""As many as a user may write: with fewer, a thousandth of an epoch was none."""


def samples_title(workload: Workload, language: Language) -> str:
    """Return what the field for the number of samples is called, such as "Number of photos"."""
    _ = language.gettext
    titles = {
        "row": _("Number of rows"),
        "photo": _("Number of photos"),
        "recording": _("Number of recordings"),
        "sequence": _("Number of sequences"),
        "text": _("Number of texts"),
        "picture": _("Number of pictures"),
        "example": _("Number of examples"),
    }
    return titles[sample_kind(workload)]


def samples_phrase(workload: Workload, language: Language) -> str:
    """Return how many samples of which kind, such as "18,687 photos"."""
    from advisor.report.words.quantities import count_before_noun

    count = workload.samples
    number = language.number(count) if count < _ALL_FIGURES else count_before_noun(count, language)
    return sample_noun(workload, language, count).format(n=number)


def tells_samples(title: str, workload: Workload, language: Language) -> bool:
    """Return whether a job's title has the number of its samples already."""
    told = re.escape(language.number(workload.samples))
    return re.search(rf"(?<![\d.,]){told}(?![.,]?\d)", title) is not None


def steps_phrase(workload: Workload, language: Language) -> str:
    """Return how many steps an epoch has where that is said and is not one pass over the samples; else nothing.

    Without it 20,000 photos seemed to take less time than 18,687 that are gone through nearly twice.
    """
    steps = workload.steps_per_epoch
    if steps is None or steps == math.ceil(workload.samples / workload.batch_size):
        return ""
    return language.ngettext("{n} step an epoch", "{n} steps an epoch", steps).format(n=language.number(steps))


def epoch_count(workload: Workload, language: Language) -> str:
    """Return how often a job goes through its samples, as the user wrote it."""
    return language.number(workload.epochs, EPOCH_DECIMALS)


def length_phrase(workload: Workload, language: Language) -> str:
    """Return how long each text is, which decides about time and memory as much as their number; else nothing."""
    length = workload.sequence_length
    if length is None or sample_kind(workload) != "text":
        return ""
    return language.ngettext("{n} token each", "{n} tokens each", length).format(n=language.number(length))


def sample_noun(workload: Workload, language: Language, count: int) -> str:
    """Return the plain word for the job's samples, with the place ``{n}`` for their number."""
    return kind_noun(sample_kind(workload), language, count)


def kind_noun(kind: SampleKind, language: Language, count: int) -> str:
    """Return the plain word for samples of a kind, with the place ``{n}`` for their number."""
    ngettext = language.ngettext
    nouns = {
        "row": ngettext("{n} row", "{n} rows", count),
        "photo": ngettext("{n} photo", "{n} photos", count),
        "recording": ngettext("{n} recording", "{n} recordings", count),
        "sequence": ngettext("{n} sequence", "{n} sequences", count),
        "text": ngettext("{n} text", "{n} texts", count),
        "picture": ngettext("{n} picture", "{n} pictures", count),
        "example": ngettext("{n} example", "{n} examples", count),
    }
    return nouns[kind]


def takes_text(network: Network) -> bool:
    """Return whether a sample of a network is a text, which has so many tokens."""
    is_other = network.name.startswith(LISTENING) or network.name in SERIES
    return network.sample == "sequence" and network.family == "transformer" and not is_other
