"""What a job trains on, in plain words: photos, texts, rows."""

from advisor.locale import Language
from advisor.records.job.workload import Workload

_ALL_FIGURES = 1_000_000
"""Up to here people count; beyond, they say "10 million"."""


_LISTENING = ("whisper", "wav2vec2")
"""Beginnings of the names of networks whose samples are sound."""


def samples_title(workload: Workload, language: Language) -> str:
    """Return what the field for the number of samples is called, such as "Number of photos"."""
    _ = language.gettext
    if workload.method == "classical" or workload.input_kind == "table":
        return _("Number of rows")
    if workload.input_kind == "jpeg":
        return _("Number of photos")
    if workload.network.startswith(_LISTENING):
        return _("Number of recordings")
    if workload.sequence_length is not None:
        return _("Number of texts")
    return _("Number of pictures") if workload.image_size is not None else _("Number of examples")


def samples_phrase(workload: Workload, language: Language) -> str:
    """Return how many samples of which kind, such as "18,687 photos"."""
    from advisor.report.words.quantities import count_before_noun

    count = workload.samples
    number = language.number(count) if count < _ALL_FIGURES else count_before_noun(count, language)
    return sample_noun(workload, language, count).format(n=number)


def sample_noun(workload: Workload, language: Language, count: int) -> str:
    """Return the plain word for the job's samples, with the place ``{n}`` for their number."""
    if workload.method == "classical" or workload.input_kind == "table":
        return language.ngettext("{n} row", "{n} rows", count)
    if workload.input_kind == "jpeg":
        return language.ngettext("{n} photo", "{n} photos", count)
    if workload.network.startswith(_LISTENING):
        return language.ngettext("{n} recording", "{n} recordings", count)
    if workload.sequence_length is not None:
        return language.ngettext("{n} text", "{n} texts", count)
    if workload.image_size is not None:
        return language.ngettext("{n} picture", "{n} pictures", count)
    return language.ngettext("{n} example", "{n} examples", count)
