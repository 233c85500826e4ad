"""Read the reports of many computers from a folder, a .zip or a .jsonl; each file that is none is named and left out.

What lies there comes from many hands: no link is followed, nothing larger than a report is read, nothing is unpacked.
"""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from advisor import wire
from advisor.errors import InputError, Phrase
from advisor.fleet.inventory import inventory_members
from advisor.given_files import ENDINGS, contents
from advisor.records.results.fleet import FleetMember, RefusedFile, RefusedReason
from advisor.records.results.measured.measurement import Case

_DIGEST_SIGNS = 12


class Refused(NamedTuple):
    """A file that was left out, by the name it has on this computer: for the screen alone, a name may be a host's."""

    name: str
    file: RefusedFile


class Found(NamedTuple):
    """What lay in the folder.

    Attributes:
        members: In the order of their digests, so that names and dates of the files change nothing.
        names: Of the file of each computer without a label, by digest: for the screen alone.
    """

    members: tuple[FleetMember, ...]
    refused: tuple[Refused, ...]
    names: Mapping[str, str] = {}


class NoReportsError(InputError):
    """No file of a folder is a report that can be read.

    Attributes:
        refused: What lies there instead.
    """

    def __init__(self, path: Path, refused: tuple[Refused, ...]) -> None:
        self.refused = refused
        super().__init__(_NO_REPORTS, file=path.name or str(path))


_NO_REPORTS = Phrase(
    "There is no report of this program in {file}; make some with advisor --report NAME.json --label NAME."
)


def read_fleet(path: Path) -> Found:
    """Return the reports in a folder and those below it, in a ``.zip``, or in a ``.jsonl`` with one in each line.

    Of several of one label the newest counts; of reports that differ in their advice at most, one.

    Raises:
        NoReportsError: The path holds no report at all.
        InputError: It is none of these.
    """
    if not (path.is_dir() or (path.is_file() and path.suffix.lower() in ENDINGS)):
        raise InputError("{file} is not a folder, .zip or .jsonl of reports.", file=path.name or str(path))
    members: dict[str, FleetMember] = {}
    names: dict[str, str] = {}
    cases: dict[str, Case] = {}
    refused: list[Refused] = []
    for name, raw in contents(path):
        if isinstance(raw, RefusedFile):
            refused.append(Refused(name, raw))
            continue
        called = name.removesuffix(".json")
        content = wire.judged_part(wire.as_utf8(raw))
        digest = hashlib.sha256(content).hexdigest()[:_DIGEST_SIGNS]
        if digest in members:
            refused.append(Refused(name, RefusedFile(digest=digest, reason="duplicate")))
            continue
        try:
            members[digest] = wire.decode_member(content, digest, cases)
            names[digest] = called
        except InputError:
            if listed := inventory_members(content, digest):
                members |= {one.digest: one for one in listed}
                several = len(listed) > 1
                names |= {one.digest: f"{called} {n}" if several else called for n, one in enumerate(listed, start=1)}
                continue
            reason: RefusedReason = "other_version" if wire.is_other_version(content) else "not_a_report"
            refused.append(Refused(name, RefusedFile(digest=digest, reason=reason)))
    kept, older = _newest([members[digest] for digest in sorted(members)])
    refused += older
    ordered = tuple(sorted(refused, key=lambda one: (one.file.digest, one.file.reason, one.name)))
    if not kept:
        raise NoReportsError(path, ordered)
    unlabelled = {one.digest: names[one.digest] for one in kept if not one.label and one.digest in names}
    return Found(tuple(kept), ordered, unlabelled)


def _newest(members: list[FleetMember]) -> tuple[list[FleetMember], list[Refused]]:
    """Return the newest report of each label, and the others; those without a label all count."""
    newest: dict[str, FleetMember] = {}
    for one in members:
        key = one.label or one.digest
        newest[key] = max(newest.get(key, one), one, key=lambda each: (each.created_at, each.digest))
    kept = [one for one in members if newest[one.label or one.digest] is one]
    older = [one for one in members if newest[one.label or one.digest] is not one]
    return kept, [Refused(one.label, RefusedFile(digest=one.digest, reason="duplicate")) for one in older]
