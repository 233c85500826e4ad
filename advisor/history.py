"""Past reports in one SQLite file of the user's data folder; nothing of it leaves the computer.

Each call opens the file for itself, so that threads and several windows may use it at once. Every change is one
transaction: a crash in its middle leaves the file as it was. What comes out is untrusted: sizes are limited and reports
decoded strictly. Must not know any face.

The journal is SQLite's own rollback journal, not a write-ahead log: a check is written once in minutes, the whole
history stays one file that can be copied, and it also works on folders shared over a network, where WAL does not.
"""

import contextlib
import datetime
import hashlib
import os
import sqlite3
import threading
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from advisor import wire
from advisor.errors import HistoryError, InputError, Phrase, system_reason
from advisor.records.results.history_entry import Entry, Origin, PastQuestion, Summary, summarise
from advisor.records.results.receipt import Receipt
from advisor.records.results.report import Report
from advisor.resource import APPLICATION, make_private_file, make_private_folder

FILE_NAME = "history.sqlite3"
MAX_LABEL = 80
_APPLICATION_ID = 0x41445648  # "ADVH": tells this program's file from any other SQLite file
_WAIT_S = 5.0
_MAX_SUMMARY_BYTES = 64 * 1024
_MAX_QUESTION_BYTES = 1024**2
_Kept = TypeVar("_Kept", Summary, PastQuestion)
_SETTINGS = (
    "trusted_schema = OFF",  # a file from elsewhere may call no functions
    "secure_delete = ON",  # what the user deletes is overwritten
    "synchronous = FULL",  # a check that is listed survives a power cut
)
_SIDE_FILES = ("-journal", "-wal", "-shm")

MIGRATIONS = (
    """
    CREATE TABLE report (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        created_at TEXT NOT NULL,
        origin TEXT NOT NULL CHECK (origin IN ('here', 'imported')),
        label TEXT NOT NULL DEFAULT '',
        digest BLOB NOT NULL UNIQUE,
        summary BLOB NOT NULL,
        content BLOB NOT NULL,
        removed_at TEXT
    ) STRICT;
    CREATE INDEX report_by_date ON report (created_at);
    """,
    """
    CREATE TABLE receipt (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        report INTEGER NOT NULL REFERENCES report (id),
        option TEXT NOT NULL,
        how TEXT NOT NULL CHECK (how IN ('told', 'measured')),
        content BLOB NOT NULL,
        UNIQUE (report, option, how)
    ) STRICT
    """,
    """
    CREATE TABLE question (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        content BLOB NOT NULL
    ) STRICT
    """,
)
"""What makes version n + 1 of the file of version n; a published one never changes."""

_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT)


def history_path() -> Path:
    """Return the file of the history, by the habits of the system; ``XDG_DATA_HOME`` moves it on Linux."""
    from platformdirs import user_data_path

    return user_data_path(APPLICATION, appauthor=False) / FILE_NAME


class History:
    """Reports of earlier checks, newest first.

    Every method raises ``HistoryError`` where the file cannot be used: written by a newer version, in a folder without
    permission, on a full disk, or locked by another program for long.

    Attributes:
        path: The file; it is made at the first use.
        set_aside: Where a damaged file was moved by this object; None while none was.
    """

    def __init__(
        self, path: Path, migrations: Sequence[str] = MIGRATIONS, tell: Callable[[Path], object] | None = None
    ) -> None:
        """Name the file.

        Args:
            path: The file.
            migrations: What makes and changes it, a script for each version.
            tell: Is told where a damaged file was moved, at once.
        """
        self.path = path
        self._tell = tell
        self.set_aside: Path | None = None
        self._migrations = tuple(migrations)
        self._is_ready = False
        self._opening = threading.Lock()

    # --- what is kept ---

    def entries(self) -> tuple[Entry, ...]:
        """Return what is kept, newest first; an entry that cannot be read has no summary."""
        with self._opened() as database:
            rows = database.execute(
                "SELECT id, label, origin, substr(summary, 1, ?) FROM report"
                " WHERE removed_at IS NULL ORDER BY created_at DESC, id DESC",
                (_MAX_SUMMARY_BYTES + 1,),
            ).fetchall()
            receipts = _receipts(database)
        return tuple(
            Entry(
                id=row[0],
                label=row[1][:MAX_LABEL],
                origin=row[2],
                summary=_decoded(row[3], Summary, _MAX_SUMMARY_BYTES),
                receipts=receipts.get(row[0], ()),
            )
            for row in rows
        )

    def report(self, entry_id: int) -> Report:
        """Return one report whole, with what came of its answer.

        Raises:
            InputError: It is damaged, or was written by a version whose reports this one does not read.
            HistoryError: It is not there any more.
        """
        with self._opened() as database:
            row = database.execute("SELECT content FROM report WHERE id = ?", (entry_id,)).fetchone()
            receipts = _receipts(database).get(entry_id, ())
        if row is None:
            raise HistoryError("This check is not in the history any more.")
        found = wire.decode_report(_unpacked(row[0]), Phrase("This entry of the history"))
        return msgspec.structs.replace(found, receipts=receipts) if receipts else found

    def last_of(self, job: str) -> Report | None:
        """Return the newest check of a job on this computer that measured something; None where none is kept.

        Where the job was never checked, that of another one: most of its tests are the same. No file is made to look
        into.
        """
        newest = None
        for entry in self.entries() if os.path.exists(self.path) else ():  # noqa: PTH110 - Path's may raise
            seen = entry.summary
            if entry.origin != "here" or seen is None or not seen.measured:
                continue
            newest = newest or entry
            if seen.job == job:
                return self.report(entry.id)
        return None if newest is None else self.report(newest.id)

    def add(self, report: Report, origin: Origin = "here", label: str = "") -> int:
        """Keep a report and return its number; one that is there already keeps its place and number.

        Raises:
            InputError: It is larger than a report may be.
        """
        content = msgspec.json.encode(report)
        if len(content) > wire.MAX_FILE_BYTES:
            most = wire.MAX_FILE_BYTES // 1024**2
            raise InputError("The report is larger than {most} MiB and is not kept.", most=most)
        row = (
            report.created_at,
            origin,
            _clean(label or report.label),
            hashlib.sha256(content).digest(),
            msgspec.json.encode(summarise(report)),
            zlib.compress(content),
        )
        with self._opened() as database:
            found = database.execute(
                "INSERT INTO report (created_at, origin, label, digest, summary, content) VALUES (?, ?, ?, ?, ?, ?)"
                " ON CONFLICT (digest) DO UPDATE SET removed_at = NULL RETURNING id",
                row,
            ).fetchone()
        return int(found[0])

    def rename(self, entry_id: int, label: str) -> None:
        """Give an entry a name of the user's; an empty one takes it away."""
        with self._opened() as database:
            database.execute("UPDATE report SET label = ? WHERE id = ?", (_clean(label), entry_id))

    def keep_receipt(self, entry_id: int, receipt: Receipt) -> None:
        """Keep what came of an answer; of one option, the last that was told and the last that was measured."""
        row = (entry_id, receipt.option, receipt.how, msgspec.json.encode(receipt))
        with self._opened() as database:
            database.execute(
                "INSERT INTO receipt (report, option, how, content) VALUES (?, ?, ?, ?)"
                " ON CONFLICT (report, option, how) DO UPDATE SET content = excluded.content",
                row,
            )

    def keep_question(self, question: PastQuestion) -> None:
        """Keep what was asked last, in place of what was before."""
        with self._opened() as database:
            database.execute(
                "INSERT INTO question (id, content) VALUES (1, ?)"
                " ON CONFLICT (id) DO UPDATE SET content = excluded.content",
                (msgspec.json.encode(question),),
            )

    def question(self) -> PastQuestion | None:
        """Return what was asked last; None where that is not kept or cannot be read. No file is made to look into."""
        if not os.path.exists(self.path):  # noqa: PTH110 - Path's may raise
            return None
        with self._opened() as database:
            row = database.execute("SELECT substr(content, 1, ?) FROM question", (_MAX_QUESTION_BYTES + 1,)).fetchone()
        return None if row is None else _decoded(row[0], PastQuestion, _MAX_QUESTION_BYTES)

    def remove(self, entry_ids: Sequence[int]) -> None:
        """Take entries out of the list; ``restore`` brings them back until ``purge`` deletes them for good."""
        now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
        with self._opened() as database:
            database.executemany("UPDATE report SET removed_at = ? WHERE id = ?", [(now, one) for one in entry_ids])

    def restore(self, entry_ids: Sequence[int]) -> None:
        """Bring back entries that were removed."""
        with self._opened() as database:
            database.executemany("UPDATE report SET removed_at = NULL WHERE id = ?", [(one,) for one in entry_ids])

    def purge(self) -> None:
        """Delete for good what was removed, and overwrite it in the file."""
        if not self.path.exists():
            return
        with self._opened() as database:
            database.execute("DELETE FROM report WHERE removed_at IS NOT NULL")
            database.execute("DELETE FROM receipt WHERE report NOT IN (SELECT id FROM report)")

    # --- the file ---

    @contextlib.contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        """Yield the file in one transaction; made, brought up to date or set aside first where needed."""
        try:
            with self._opening:
                if not self._is_ready:
                    self._make_ready()
            with self._connected() as database:
                yield database
        except sqlite3.Error as error:
            if _is_damage(error):
                self._is_ready = False  # the next call sets the file aside
            raise _said(error, self.path) from error
        except OSError as error:
            raise _cannot_be_used(self.path, system_reason(error)) from error

    def _make_ready(self) -> None:
        make_private_folder(self.path.parent)
        make_private_file(self.path)
        try:
            self._check_and_migrate()
        except sqlite3.Error as error:
            if not _is_damage(error):
                raise
            self.set_aside = _move_aside(self.path)
            if self._tell is not None:
                self._tell(self.set_aside)
            make_private_file(self.path)
            self._check_and_migrate()
        self._is_ready = True

    def _check_and_migrate(self) -> None:
        with self._connected() as database:
            missing = self._missing_migrations(database)
            _check_owner(database)
            _check_whole(database)
        if missing:
            # The lock first, then the look: two windows that start at once must not both migrate.
            with self._connected("BEGIN IMMEDIATE") as database:
                for number, script in self._missing_migrations(database):
                    _migrate(database, script, number)

    def _missing_migrations(self, database: sqlite3.Connection) -> list[tuple[int, str]]:
        version = database.execute("PRAGMA user_version").fetchone()[0]
        if version > len(self._migrations):
            raise HistoryError(
                "The history in {file} was written by a newer version of this program and is left as it is. "
                "Use that version, or move the file away to start a new history.",
                file=str(self.path),
            )
        return list(enumerate(self._migrations, 1))[version:]

    @contextlib.contextmanager
    def _connected(self, begin: str = "BEGIN") -> Iterator[sqlite3.Connection]:
        """Yield a connection; what is done with it counts wholly or not at all."""
        with contextlib.closing(sqlite3.connect(self.path, timeout=_WAIT_S, isolation_level=None)) as database:
            try:
                for setting in _SETTINGS:
                    database.execute(f"PRAGMA {setting}")
                database.execute(begin)
                try:
                    yield database
                except BaseException:
                    database.rollback()
                    raise
                database.commit()
            except UnicodeDecodeError as error:  # of SQLite's own message, which repeats what it found in the file
                raise _Damaged("it holds text that is no UTF-8") from error


def _migrate(database: sqlite3.Connection, script: str, number: int) -> None:
    for statement in filter(str.strip, script.split(";")):
        database.execute(statement)
    database.execute(f"PRAGMA user_version = {number}")
    database.execute(f"PRAGMA application_id = {_APPLICATION_ID}")


def _check_owner(database: sqlite3.Connection) -> None:
    """Refuse a file of another program: tables, but not this program's mark."""
    mark = database.execute("PRAGMA application_id").fetchone()[0]
    tables = database.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    if tables and mark != _APPLICATION_ID:
        raise _Damaged("it is no history of this program")


def _check_whole(database: sqlite3.Connection) -> None:
    found = database.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise _Damaged(found)


class _Damaged(sqlite3.DatabaseError):
    """The file is not what it should be, although SQLite can open it."""


def _is_damage(error: sqlite3.Error) -> bool:
    code = getattr(error, "sqlite_errorcode", None)
    return isinstance(error, _Damaged) or (code is not None and code & 0xFF in _DAMAGE)


def _move_aside(path: Path) -> Path:
    """Rename a damaged file, and what SQLite keeps beside it, so that nothing is lost; return its new path."""
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    target = path.with_name(f"{path.name}.damaged-{today}")
    number = 1
    while target.exists():
        number += 1
        target = path.with_name(f"{path.name}.damaged-{today}-{number}")
    path.rename(target)
    for side in _SIDE_FILES:
        beside = path.with_name(path.name + side)
        if beside.exists():
            beside.rename(target.with_name(target.name + side))
    return target


def _said(error: sqlite3.Error, path: Path) -> HistoryError:
    """Return what SQLite said as a sentence for the user."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_FULL:
        return HistoryError("The history cannot be written: the disk is full. Nothing that was kept is lost.")
    if code in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
        return HistoryError("The history is in use by another program; try again in a moment.")
    if code in {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_AUTH}:
        return HistoryError(
            "The history cannot be kept: this program may not write in {folder}. Everything else works.",
            folder=str(path.parent),
        )
    if _is_damage(error):
        return HistoryError("The history is damaged; it is set aside, and a new one is begun at the next try.")
    if code == sqlite3.SQLITE_ERROR:  # tables or columns that are not those of its version
        return HistoryError(
            "The history in {file} is not as this program wrote it ({reason}) and is left as it is. Move the file away "
            "to start a new history.",
            file=str(path),
            reason=str(error),
        )
    return _cannot_be_used(path, str(error))


def _cannot_be_used(path: Path, reason: str) -> HistoryError:
    return HistoryError(
        "The history in {folder} cannot be used: {reason}. Everything else works.",
        folder=str(path.parent),
        reason=reason,
    )


def _receipts(database: sqlite3.Connection) -> dict[int, tuple[Receipt, ...]]:
    """Return by entry what came of the answers; what cannot be read is left out."""
    found: dict[int, list[Receipt]] = {}
    rows = database.execute("SELECT report, substr(content, 1, ?) FROM receipt ORDER BY id", (_MAX_SUMMARY_BYTES,))
    for entry_id, content in rows:
        with contextlib.suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            found.setdefault(entry_id, []).append(msgspec.json.decode(content, type=Receipt))
    return {entry_id: tuple(receipts) for entry_id, receipts in found.items()}


def _decoded(content: object, kind: type[_Kept], most: int) -> _Kept | None:
    if not isinstance(content, bytes) or len(content) > most:
        return None
    try:
        return msgspec.json.decode(content, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _unpacked(content: bytes) -> bytes:
    """Return compressed bytes as they were, at most as many as a report may have."""
    unpacking = zlib.decompressobj()
    try:
        unpacked = unpacking.decompress(content, wire.MAX_FILE_BYTES + 1)
    except zlib.error as error:
        raise InputError("This entry of the history is damaged.") from error
    if not unpacking.eof and len(unpacked) <= wire.MAX_FILE_BYTES:
        raise InputError("This entry of the history is damaged.")
    return unpacked


def _clean(label: str) -> str:
    """Return a label of one line and a readable length."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in label).split())[:MAX_LABEL]
