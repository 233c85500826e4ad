"""Which files are data, by their ending."""

from advisor.records.results.measured.own_data import DataKind

_ENDINGS: dict[DataKind, dict[str, str]] = {
    "image": {"jpg": "jpeg", "jpeg": "jpeg", "jpe": "jpeg", "png": "png", "bmp": "bmp", "gif": "gif", "tif": "tiff",
              "tiff": "tiff", "webp": "webp", "ppm": "ppm", "pgm": "ppm", "avif": "avif"},
    "audio": {"wav": "wav", "flac": "flac", "mp3": "mp3", "ogg": "ogg", "opus": "opus", "m4a": "m4a", "aiff": "aiff"},
    "array": {"npy": "npy", "npz": "npz"},
    "table": {"csv": "csv", "tsv": "tsv", "parquet": "parquet"},
    "archive": {"tar": "tar", "tgz": "tar.gz"},
}  # fmt: skip
_KNOWN = {ending: (kind, name) for kind, endings in _ENDINGS.items() for ending, name in endings.items()}


def format_of(name: str) -> tuple[DataKind, str] | None:
    """Return kind and format of the file of that name; None for what is no data, and for hidden files."""
    if name.startswith("."):
        return None
    stem, _, ending = name.casefold().rpartition(".")
    if ending == "gz" and stem.endswith(".tar"):
        return "archive", "tar.gz"
    return _KNOWN.get(ending)


PACKED = frozenset({"zip", "7z", "rar", "gz", "tgz", "zst", "xz"})
_UNREAD = PACKED | {
    *("h5", "hdf5", "dcm", "nii", "mp4", "avi", "mov", "mkv", "webm", "heic", "txt", "jsonl", "json"),
    *("xlsx", "feather", "arrow", "tfrecord", "lmdb", "mdb", "zarr", "pt", "pkl", "mat", "las", "ply"),
}


def unread_ending(name: str) -> tuple[str, ...]:
    """Return the ending of a file that people train on and nothing here reads; empty for all others."""
    stem, _, ending = name.casefold().removesuffix(".gz").rpartition(".")
    whole = name.casefold().rpartition(".")[2]
    found = ending if ending == "nii" else whole
    return (found,) if stem and found in _UNREAD and not name.startswith(".") else ()
