"""Records to JSON and back: reports, machine files, worker lines. What comes back in is untrusted input.

A file is refused when it is too large, not JSON, of another schema version, or has any unknown or mistyped field. Signs
that would command a terminal are replaced in its texts.
"""

import codecs
import re
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec

from advisor.card_matching import withhold_names
from advisor.errors import InputError, Phrase, system_reason
from advisor.records.base import Bytes, Record
from advisor.records.hardware.machine import Machine
from advisor.records.job.serving_advice import ServingAdvice
from advisor.records.results.diagnosis import Finding
from advisor.records.results.fleet import FleetAdvice, FleetMember
from advisor.records.results.measured.measurement import (
    Amount,
    Benchmark,
    Case,
    Condition,
    Count,
    Detail,
    Measurement,
    Seconds,
    Series,
    Span,
    Suite,
)
from advisor.records.results.measured.watched import WatchedJob
from advisor.records.results.report import LONGEST_LABEL, SCHEMA_VERSION, Report
from advisor.records.results.scaling import SCALING_VERSION, Scaling
from advisor.waiting import within

MAX_FILE_BYTES = 16 * 1024**2
_WRITER_S = 10.0
"""So long nobody may have opened a pipe to write into it; who has may take any time."""
MAX_LINE_BYTES = 1024**2

_TURNING = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""Signs that turn the direction of writing, so that a text reads as another one. Source: Unicode Standard Annex 9."""
_ESCAPED = re.compile(
    rb"(?<!\\)((?:\\\\)*)\\u(?:00(?:[01][0-9a-f]|7f|[89][0-9a-f])|061c|200[ef]|202[a-e]|206[6-9])", re.IGNORECASE
)
"""Control characters (ISO 6429) and those of ``_TURNING`` as an escape of JSON. Those of line ends and tabs have
escapes of their own and stay."""
_RAW = re.compile(b"|".join([rb"\x7f|\xc2[\x80-\x9f]", *(sign.encode() for sign in _TURNING)]))
"""The same as they are, controls from 127 on. Each begins with a byte of its own: a pattern with such a first byte is
found fifteen times as fast as one that may begin with anything, and a report has a million of them."""

R = TypeVar("R")


def encode(record: Record) -> bytes:
    """Return the record as indented JSON, without signs that would command a terminal."""
    return msgspec.json.format(_plain(msgspec.json.encode(record)), indent=2)


def encode_line(record: Record) -> bytes:
    """Return the record as one line of JSON, ending in a newline."""
    return msgspec.json.encode(record) + b"\n"


def decode_line(line: bytes, kind: type[R] | Any) -> R:
    """Return the record in one line.

    Raises:
        InputError: The line is too long or does not hold such a record.
    """
    if len(line) > MAX_LINE_BYTES:
        raise InputError(
            "A line of {size} bytes is longer than the allowed {most}.", size=len(line), most=MAX_LINE_BYTES
        )
    try:
        result: R = msgspec.json.decode(line, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError("Not a valid line: {error}.", error=str(error)) from error
    return result


def decode_report(content: bytes, name: str = "The file") -> Report:
    """Return the report in a JSON document.

    Args:
        content: The document.
        name: What to call it in an error message.

    Raises:
        InputError: It is too large, not JSON, of another version, or has wrong fields.
    """
    if len(content) > MAX_FILE_BYTES:
        raise InputError(
            "{file} is larger than {most} MiB; it is not a report of this program.",
            file=name,
            most=MAX_FILE_BYTES // 1024**2,
        )
    content = _plain(content)
    try:
        version = msgspec.json.decode(content, type=_Version).schema_version
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(
            "{file} is not a report of this program: {error}.", file=name, error=json_cause(error)
        ) from error
    _check_version(version, name)
    try:
        report = msgspec.json.decode(content, type=Report)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError("{file} is not a valid report: {error}.", file=name, error=json_cause(error)) from error
    # Earlier versions wrote names of programs; provenance follows from the rest, and is worked out where it is shown.
    return msgspec.structs.replace(report, machine=withhold_names(report.machine), provenance=())


def _check_version(version: int, name: str) -> None:
    if version > SCHEMA_VERSION:
        raise InputError(
            "{file} was written by a newer version of this program (schema {version}, this one reads {own}); "
            "install it.",
            file=name,
            version=version,
            own=SCHEMA_VERSION,
        )
    if version != SCHEMA_VERSION:
        raise InputError(
            "{file} has schema version {version}, this program reads version {own}; "
            "make the report again with this version.",
            file=name,
            version=version,
            own=SCHEMA_VERSION,
        )


def judged_part(content: bytes) -> bytes:
    """Return a report without its advice, nine tenths of it, which a fleet is not judged by.

    Cut where ``encode`` begins a line with a field of the report itself; nothing is cut of what others wrote.
    """
    begin, end = content.find(b'\n  "advice": '), content.rfind(b'\n  "findings": ')
    return content if not 0 <= begin < end else content[:begin] + content[end:]


def decode_member(content: bytes, digest: str, cases: dict[str, Case] | None = None) -> FleetMember:
    """Return what a fleet needs of a report, or of a machine alone; the rest is not looked at.

    Args:
        content: The document, or its ``judged_part``.
        digest: What to call the computer where nobody labelled it.
        cases: Of reports that were read before, by id: who measured the same shares the record of it.

    Raises:
        InputError: It is no report, of another version, or has wrong fields.
    """
    cases = {} if cases is None else cases
    try:
        seen = msgspec.json.decode(content, type=_Collected)
        if seen.schema_version is not None:
            _check_version(seen.schema_version, digest)
        if seen.machine is None:  # a machine alone
            seen = _Collected(machine=msgspec.json.decode(content, type=Machine))
        assert seen.machine is not None, "just now"
        # Texts of others reach a terminal: what goes on is decoded from plain signs.
        member = FleetMember(
            digest=digest,
            label=seen.label,
            created_at=seen.created_at,
            machine=withhold_names(seen.machine),
            benchmark=None if seen.benchmark is None else _benchmark(seen.benchmark, cases),
            is_simulated=seen.is_simulated,
            findings=tuple(dict.fromkeys(one.kind for one in seen.findings)),
        )
        written = msgspec.json.encode(member)
        plain = _plain(written)
        return member if plain == written else msgspec.json.decode(plain, type=FleetMember)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(
            "{file} is not a report of this program: {error}.", file=digest, error=json_cause(error)
        ) from error


def _benchmark(seen: "_Measured", cases: dict[str, Case]) -> Benchmark:
    measurements = []
    for one in seen.measurements:
        known = cases.setdefault(one.case.id, one.case)
        fields = {**msgspec.structs.asdict(one), "case": known if known == one.case else one.case}
        measurements.append(Measurement(samples_s=(one.median_s,), **fields))
    return Benchmark(**{**msgspec.structs.asdict(seen), "measurements": tuple(measurements)})


def decode_fleet(content: bytes) -> FleetAdvice:
    """Return the verdict for a room in a JSON document of this program's own."""
    return msgspec.json.decode(content, type=FleetAdvice)


def decode_serving(content: bytes) -> ServingAdvice:
    """Return the advice for a language model in a JSON document of this program's own."""
    return msgspec.json.decode(content, type=ServingAdvice)


def is_other_version(content: bytes) -> bool:
    """Return whether a document says it is a report of another version."""
    try:
        return msgspec.json.decode(content, type=_Version).schema_version != SCHEMA_VERSION
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False


def read_report(path: Path) -> Report:
    """Return the report in a file; see ``decode_report``."""
    return decode_report(read_limited(path), path.name)


def read_recorded(path: Path) -> Report | Machine:
    """Return the report in a file, or the machine alone (``advisor --doctor --format json``); see ``decode_report``."""
    content = read_limited(path)
    try:
        has_version = msgspec.json.decode(content, type=_AnyVersion).schema_version is not None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        has_version = True  # no object at all: let the report's reader say what is wrong
    return decode_report(content, path.name) if has_version else decode_machine(content, path.name)


def read_limited(path: Path) -> bytes:
    """Return the content of a file of at most ``MAX_FILE_BYTES``.

    Raises:
        InputError: It cannot be read or is larger.
    """
    try:
        with within(_WRITER_S, lambda: path.open("rb")) if path.is_fifo() else path.open("rb") as file:
            content = file.read(MAX_FILE_BYTES + 1)
    except TimeoutError as error:
        raise InputError("{file} is a pipe that nobody writes into.", file=path.name) from error
    except OSError as error:
        raise InputError("{file} cannot be read: {reason}.", file=path.name, reason=system_reason(error)) from error
    if len(content) > MAX_FILE_BYTES:
        raise InputError("{file} is larger than {most} MiB.", file=path.name, most=MAX_FILE_BYTES // 1024**2)
    return as_utf8(content)


def as_utf8(content: bytes) -> bytes:
    """Return a text as UTF-8 without a mark: PowerShell's ``>`` writes UTF-16, editors of Windows put a mark first."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content.decode("utf-16", "replace").encode()
    return content.removeprefix(codecs.BOM_UTF8)


def decode_scaling(content: bytes, name: str) -> Scaling:
    """Return what ``advisor --scaling`` measured.

    Raises:
        InputError: It is none, or of another version.
    """
    try:
        scaling = msgspec.json.decode(_plain(content), type=Scaling)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError("{file} is not what --scaling wrote: {error}.", file=name, error=json_cause(error)) from error
    if scaling.scaling_version != SCALING_VERSION:
        raise InputError("{file} was written by another version of this program; measure again.", file=name)
    return scaling


def report_schema() -> dict[str, Any]:
    """Return the JSON Schema of a report."""
    return _schema(Report, "advisor report")


def fleet_schema() -> dict[str, Any]:
    """Return the JSON Schema of the verdict for a room of computers."""
    return _schema(FleetAdvice, "advisor fleet")


def scaling_schema() -> dict[str, Any]:
    """Return the JSON Schema of what several devices reach together."""
    return _schema(Scaling, "advisor scaling")


def serving_schema() -> dict[str, Any]:
    """Return the JSON Schema of the advice for a language model that is to be run."""
    return _schema(ServingAdvice, "advisor serving")


def _schema(kind: type[Record], title: str) -> dict[str, Any]:
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, **msgspec.json.schema(kind)}


def decode_machine(content: bytes, name: str = "The file") -> Machine:
    """Return the machine in a JSON document that holds a machine alone (``advisor --doctor --format json``)."""
    try:
        return msgspec.json.decode(_plain(content), type=Machine)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(
            "{file} is not a valid machine description: {error}.", file=name, error=json_cause(error)
        ) from error


def decode_watched(content: bytes, name: str) -> WatchedJob:
    """Return the job that ``advisor --watch --save`` wrote.

    Raises:
        InputError: It is none.
    """
    try:
        return msgspec.json.decode(_plain(content), type=WatchedJob)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError("{file} is not what --watch saved: {error}.", file=name, error=json_cause(error)) from error


def _plain(content: bytes) -> bytes:
    replaced = "\N{REPLACEMENT CHARACTER}".encode()
    if rb"\u" in content:
        content = _ESCAPED.sub(rb"\1" + replaced, content)
    return _RAW.sub(replaced, content)


def json_cause(error: Exception) -> InputError | str:
    """Return what is wrong with a JSON file, to be said in the user's language where it is one of the usual faults.

    A value of the file may be repeated there.
    """
    text = " ".join(str(error).split())
    for pattern, make in _JSON_FAULTS:
        found = re.fullmatch(pattern, text)
        if found is not None:
            return make(**found.groupdict())
    return text


def _missing_field(name: str, place: str | None) -> InputError:
    if place is None:
        return InputError("the field {name} is missing", name=name)
    return InputError("the field {name} is missing at {place}", name=name, place=place)


def _wrong_kind(wanted: str, got: str, place: str | None) -> InputError:
    return InputError("at {place} stands {got} in place of {wanted}", place=place or "$", got=got, wanted=wanted)


def _unknown_field(name: str, place: str | None) -> InputError:
    return InputError("no report has the field {name} at {place}", name=name, place=place or "$")


def _unknown_value(place: str | None) -> InputError:
    return InputError("the value at {place} is not known", place=place or "$")


def _out_of_range(sign: str, limit: str, place: str | None) -> InputError:
    text = {
        ">=": Phrase("the number at {place} must be at least {limit}"),
        ">": Phrase("the number at {place} must be more than {limit}"),
        "<=": Phrase("the number at {place} must be at most {limit}"),
    }[sign]
    return InputError(text, place=place or "$", limit=limit.removesuffix(".0"))


def _wrong_length(sign: str, limit: str, place: str | None) -> InputError:
    text = {
        ">=": Phrase("what stands at {place} is shorter than {limit}"),
        "<=": Phrase("what stands at {place} is longer than {limit}"),
    }[sign]
    return InputError(text, place=place or "$", limit=limit)


def _too_large(place: str | None) -> InputError:
    return InputError("the number at {place} is larger than any computer can hold", place=place or "$")


def _malformed(byte: str) -> InputError:
    return InputError("what begins at byte {byte} is not JSON", byte=byte)


def _cut_off() -> InputError:
    return InputError("it ends in the middle")


def _not_utf8() -> InputError:
    return InputError("it is not text in UTF-8")


_AT = r"(?: - at `(?P<place>[^`]*)`)?"
_JSON_FAULTS: tuple[tuple[str, Callable[..., InputError]], ...] = (
    (r"Object missing required field `(?P<name>[^`]*)`" + _AT, _missing_field),
    (r"Expected `(?P<wanted>[^`]*)`, got `(?P<got>[^`]*)`" + _AT, _wrong_kind),
    (r"Object contains unknown field `(?P<name>[^`]*)`" + _AT, _unknown_field),
    (r"Expected `\w+` (?P<sign>[<>]=?) (?P<limit>\S+)" + _AT, _out_of_range),
    (r"Expected `\w+` of length (?P<sign>[<>]=) (?P<limit>\d+)" + _AT, _wrong_length),
    (r"Number out of range" + _AT, _too_large),
    (r"(?:Invalid enum value .*?|no such computer|Expected `str` matching regex .*?)" + _AT, _unknown_value),
    (r"JSON is malformed: .*\(byte (?P<byte>\d+)\)", _malformed),
    (r"Input data was truncated", _cut_off),
    (r".*codec can't decode.*|Invalid utf-8 encoded string.*", _not_utf8),
)
"""How msgspec says the usual faults, and who says them again."""


class _AnyVersion(msgspec.Struct):
    """Whether a version is named at all: a report names its own, a machine has none."""

    schema_version: object = None


class _Taken(msgspec.Struct):
    """The parts of a measurement that tell a time; not its samples, sensors and profile, which are most of it."""

    case: Case
    median_s: Seconds
    iqr_s: Span
    items_per_iteration: Count = 1
    items_per_s: Amount | None = None
    peak_memory_bytes: Bytes | None = None
    conditions: tuple[Condition, ...] = ()
    details: dict[str, Detail] = {}
    series: tuple[Series, ...] = ()


class _Measured(msgspec.Struct):
    """The parts of a suite that a fleet is judged by."""

    suite: Suite
    started_at: str
    wall_s: Span
    measurements: tuple[_Taken, ...] = ()
    conditions: tuple[Condition, ...] = ()
    environment: dict[str, str] = {}


class _Collected(msgspec.Struct):
    """The parts of a report that a fleet is judged by."""

    schema_version: int | None = None
    label: Annotated[str, msgspec.Meta(max_length=LONGEST_LABEL)] = ""
    created_at: str = ""
    machine: Machine | None = None
    benchmark: _Measured | None = None
    is_simulated: bool = False
    findings: tuple[Finding, ...] = ()


class _Version(msgspec.Struct):
    """Only the version of a report, to refuse others with a clear sentence."""

    schema_version: int
