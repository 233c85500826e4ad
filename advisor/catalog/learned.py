"""What was learned of the measurements of others: a file of this user beside the shipped ones, never in them."""

from functools import cache
from pathlib import Path

import msgspec

from advisor.errors import InputError, OutputError, system_reason
from advisor.records.job.prediction import Calibration
from advisor.records.results.shared import LEARNED_VERSION, Learned
from advisor.resource import make_private_file, make_private_folder


def sharing_folder() -> Path:
    """Return the folder of what was learned, and of this computer's random number for what it shares."""
    from platformdirs import user_data_path

    return user_data_path("advisor", appauthor=False) / "learned"


def learned_path() -> Path:
    """Return the file of what was learned."""
    return sharing_folder() / "learned.json"


def load_learned() -> Learned | None:
    """Return what was learned; None where nothing was.

    Raises:
        InputError: The file is damaged, or of another version of this program.
    """
    path = learned_path()
    try:
        is_there = path.is_file()
    except OSError:  # a home whose path is longer than the system takes; nothing can have been kept in it
        is_there = False
    if not is_there:
        return None
    from advisor.wire import read_limited  # every record there is; a prediction without anything learned does without

    try:
        learned = msgspec.json.decode(read_limited(path), type=Learned)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(_DAMAGED, file=path.name, error=" ".join(str(error).split())) from error
    if learned.learned_version != LEARNED_VERSION:
        raise InputError(_DAMAGED, file=path.name, error=str(learned.learned_version))
    return learned


_DAMAGED = "{file} cannot be used: {error}. Learn again, or undo it with: advisor --learn none"


@cache
def learned_calibrations() -> dict[str, Calibration]:
    """Return what was learned of each device, by its name.

    Raises:
        InputError: The file is damaged; nobody should read predictions that silently lack it.
    """
    learned = load_learned()
    return {} if learned is None else {one.calibration.device: one.calibration for one in learned.devices}


def store_learned(learned: Learned) -> None:
    """Keep what was learned, in the stead of what was before.

    Raises:
        OutputError: It cannot be written.
    """
    from advisor.wire import encode

    path = learned_path()
    try:
        make_private_folder(path.parent)
        make_private_file(path)
        path.write_bytes(encode(learned) + b"\n")
    except OSError as error:
        raise _cannot_write(path, error) from error
    learned_calibrations.cache_clear()


def forget_learned() -> bool:
    """Undo learning; return whether there was anything.

    Raises:
        OutputError: The file cannot be removed.
    """
    path = learned_path()
    was_there = path.exists()
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise _cannot_write(path, error) from error
    learned_calibrations.cache_clear()
    return was_there


def _cannot_write(path: Path, error: OSError) -> OutputError:
    return OutputError("{path} could not be written: {reason}.", path=path, reason=system_reason(error))
