"""The user's own data in words; nothing here knows a name of theirs."""

from typing import Final

from advisor.locale import N_, Language
from advisor.records.results.measured.own_data import DataKind, OwnData
from advisor.report.words import quantities

DISKS: Final = {
    "nvme": N_("NVMe drive"),
    "ssd": N_("solid-state drive"),
    "hdd": N_("hard disk"),
    "network": N_("network drive"),
    "virtual": N_("virtual disk"),
}


def data_phrase(data: OwnData, language: Language) -> str:
    """Return what the data are in a line, such as ``2,000 images (jpeg), 57 MB, about 500 × 375 pixels``."""
    _ = language.gettext
    counts: dict[DataKind, str] = {
        "image": language.ngettext("{count} image", "{count} images", data.files),
        "audio": language.ngettext("{count} recording", "{count} recordings", data.files),
        "array": language.ngettext("{count} file of arrays", "{count} files of arrays", data.files),
        "table": language.ngettext("{count} table", "{count} tables", data.files),
        "archive": language.ngettext("{count} archive", "{count} archives", data.files),
    }
    count = counts[data.kind].format(count=language.number(data.files))
    if not data.is_complete:
        count = _("at least {count}").format(count=count)
    names = ", ".join(one.name for one in data.formats)
    parts = [f"{count} ({names})", quantities.memory(data.size_bytes, language)]
    if data.width is not None and data.height is not None:
        parts.append(_("about {width} × {height} pixels").format(width=data.width, height=data.height))
    if data.samples is not None and data.samples != data.files:
        parts.append(_("{count} samples").format(count=language.number(data.samples)))
    return ", ".join(parts)
