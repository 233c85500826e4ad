"""The store of past reports: what goes in comes out, and nothing that happens to the file takes the program along."""

import contextlib
import multiprocessing
import os
import re
import sqlite3
import sys
import threading
import zlib
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from advisor import wire
from advisor.errors import HistoryError, InputError
from advisor.history import MAX_LABEL, MIGRATIONS, History, history_path
from advisor.records.job.workload import Circumstances
from advisor.records.results.history_entry import PastQuestion, summarise
from advisor.records.results.measured.measurement import CaseFailure
from advisor.records.results.report import Report
from tests.fakes.measured import matmul_case
from tests.gui.samples import sample_report
from tests.unit.session.test_receipt import made


def report_of(day: int, **changes: object) -> Report:
    """Return the sample report, made on a day of November."""
    return msgspec.structs.replace(sample_report(), created_at=f"2026-11-{day:02d}T08:00:00+00:00", **changes)


@pytest.fixture
def history(tmp_path: Path) -> History:
    """Return a history in a folder that does not exist yet."""
    return History(tmp_path / "not yet" / "history.sqlite3")


# --- keeping ---


def test_a_report_comes_back_as_it_was(history: History) -> None:
    """What was kept is read back equal, in another window too."""
    number = history.add(sample_report())

    assert History(history.path).report(number) == sample_report()


def test_the_last_check_of_a_job_is_found(history: History) -> None:
    """The newest that measured something, on this computer; not another job's, nor a file from elsewhere."""
    job = sample_report().workload.id
    assert history.last_of(job) is None
    assert not history.path.exists()
    for day, origin, changes in (
        (1, "here", {}),
        (2, "here", {}),
        (3, "imported", {}),
        (4, "here", {"benchmark": None}),
    ):
        history.add(report_of(day, **changes), origin)  # type: ignore[arg-type]
    found = history.last_of(job)
    assert found is not None
    assert found.created_at.startswith("2026-11-02")
    assert history.last_of("another") == found, "whose tests but one are the same"


def test_the_newest_check_stands_first(history: History) -> None:
    """The list goes back in time, whatever the order of keeping."""
    for day in (3, 9, 1):
        history.add(report_of(day))

    days = [entry.summary.created_at[8:10] for entry in history.entries() if entry.summary is not None]
    assert days == ["09", "03", "01"]


def test_an_entry_says_what_the_report_says(history: History) -> None:
    """The list knows machine, job, answer and suite without opening the report."""
    history.add(sample_report(), label="  before\n the new card ", origin="imported")
    (entry,) = history.entries()

    assert (entry.label, entry.origin) == ("before the new card", "imported")
    assert entry.summary == summarise(sample_report())
    assert entry.summary.cards == ("NVIDIA GeForce RTX 2060 Laptop GPU",)
    assert (entry.summary.tier, entry.summary.run_s, entry.summary.suite) == ("this_computer", 215.0, "quick")
    assert (entry.summary.measured, entry.summary.failed, entry.summary.is_cancelled) == (14, 1, False)


def test_a_report_keeps_the_name_its_file_brings(history: History) -> None:
    """What ``--label`` wrote tells the computers of a room apart; a name given here comes first."""
    labelled = msgspec.structs.replace(sample_report(), label="Room 2 · PC 7")
    history.add(labelled, origin="imported")
    history.add(msgspec.structs.replace(labelled, created_at="2026-01-01T00:00:00Z"), label="mine", origin="imported")
    assert {entry.label for entry in history.entries()} == {"Room 2 · PC 7", "mine"}


def test_a_cancelled_check_is_kept_as_such(history: History) -> None:
    """What was measured before the user stopped stays, and is marked."""
    report = sample_report()
    assert report.benchmark is not None
    rest = CaseFailure(case=matmul_case(64), reason="cancelled")
    benchmark = msgspec.structs.replace(report.benchmark, failures=(rest,))
    history.add(msgspec.structs.replace(report, benchmark=benchmark))

    (entry,) = history.entries()
    assert entry.summary is not None
    assert entry.summary.is_cancelled


def test_the_same_report_is_kept_once(history: History) -> None:
    """A file read in twice is one entry, and reading it in again brings it back from the removed."""
    first = history.add(sample_report())
    history.remove([first])

    assert history.add(sample_report()) == first
    assert len(history.entries()) == 1


def test_removing_can_be_undone_until_it_is_purged(history: History) -> None:
    """Removed entries leave the list, come back when asked, and are gone after the purge."""
    kept, lost = history.add(report_of(1)), history.add(report_of(2))
    history.remove([kept, lost])
    assert history.entries() == ()

    history.restore([kept])
    history.purge()

    assert [entry.id for entry in history.entries()] == [kept]
    with pytest.raises(HistoryError, match="not in the history any more"):
        history.report(lost)


def test_what_was_purged_is_not_left_in_the_file(history: History) -> None:
    """Deleted content is overwritten, not only forgotten."""
    number = history.add(sample_report())
    content = zlib.compress(msgspec.json.encode(sample_report()))
    assert content[:200] in history.path.read_bytes()

    history.remove([number])
    history.purge()

    assert content[:200] not in history.path.read_bytes()


def test_a_purge_makes_no_file(history: History) -> None:
    """A user who never checked has no history file."""
    history.purge()

    assert not history.path.exists()


@given(label=st.text(max_size=300))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
def test_any_label_is_one_short_line(label: str, tmp_path: Path) -> None:
    """Whatever a user types or pastes is kept as one printable line."""
    history = History(tmp_path / "history.sqlite3")
    number = history.add(sample_report())
    history.rename(number, label)
    (entry,) = history.entries()

    assert entry.label.isprintable()
    assert len(entry.label) <= MAX_LABEL
    history.rename(number, entry.label)
    assert history.entries() == (entry,)


@given(
    steps=st.lists(
        st.tuples(st.sampled_from(["add", "remove", "restore", "rename", "purge"]), st.integers(1, 5)), max_size=25
    )
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
def test_any_order_of_changes_leaves_what_it_should(
    steps: list[tuple[str, int]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Keeping, removing, restoring, naming and purging in any order agree with a plain dictionary."""
    history = History(tmp_path_factory.mktemp("steps") / "history.sqlite3")
    expected: dict[int, tuple[str, bool]] = {}  # day -> label, is in the list
    numbers: dict[int, int] = {}
    for action, day in steps:
        if action == "add":
            numbers[day] = history.add(report_of(day))
            expected[day] = (expected.get(day, ("", True))[0], True)
        elif action == "purge":
            history.purge()
            expected = {one: row for one, row in expected.items() if row[1]}
        elif day in expected:
            change(history, action, numbers[day], day)
            label, is_listed = expected[day]
            expected[day] = (f"name {day}" if action == "rename" else label, is_listed_after(action, is_listed))

    listed = {numbers[day]: label for day, (label, is_listed) in expected.items() if is_listed}
    assert {entry.id: entry.label for entry in history.entries()} == listed


def change(history: History, action: str, number: int, day: int) -> None:
    """Do one thing to one entry."""
    if action == "rename":
        history.rename(number, f"name {day}")
    elif action == "remove":
        history.remove([number])
    else:
        history.restore([number])


def is_listed_after(action: str, is_listed: bool) -> bool:
    """Return whether an entry is in the list after something was done to it."""
    return is_listed if action == "rename" else action == "restore"


# --- crashes, damage, other versions ---


def test_a_crash_in_mid_write_leaves_the_file_as_it_was(history: History) -> None:
    """A process killed inside a transaction costs that transaction only."""
    kept = history.add(report_of(1))
    child = multiprocessing.get_context("spawn").Process(target=die_while_writing, args=(str(history.path),))
    child.start()
    child.join(240)
    assert child.exitcode == 9

    fresh = History(history.path)
    assert [entry.id for entry in fresh.entries()] == [kept]
    assert fresh.report(kept) == report_of(1)
    assert fresh.set_aside is None


def die_while_writing(path: str) -> None:
    """End this process without any clean-up, half-way through a change that has reached the disk."""
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA cache_size = 1")  # pages go to the file before the end of the transaction
    database.execute("BEGIN IMMEDIATE")
    database.execute("UPDATE report SET label = 'half', content = zeroblob(500000)")
    database.execute("UPDATE report SET content = zeroblob(900000)")
    os._exit(9)


@pytest.mark.parametrize("content", [b"", b"not a database " * 500, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_damaged_file_is_kept_aside_and_a_new_one_begun(content: bytes, tmp_path: Path) -> None:
    """What is no database is moved away under its date, never deleted; the history works at once."""
    path = tmp_path / "history.sqlite3"
    path.write_bytes(content)
    history = History(path)
    number = history.add(sample_report())

    assert [entry.id for entry in history.entries()] == [number]
    if content:  # an empty file is an empty database
        assert history.set_aside is not None
        assert re.fullmatch(r"history\.sqlite3\.damaged-\d{4}-\d\d-\d\d", history.set_aside.name)
        assert history.set_aside.read_bytes() == content


@given(cut=st.floats(min_value=0.01, max_value=0.99))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=20)
def test_a_truncated_file_never_stops_the_program(cut: float, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Cut anywhere, no wrong report comes out: the file is set aside, or the one cut entry refused."""
    path = tmp_path_factory.mktemp("cut") / "history.sqlite3"
    whole = History(path)
    for day in (1, 2, 3):
        whole.add(report_of(day))
    content = path.read_bytes()
    path.write_bytes(content[: max(1, int(len(content) * cut))])

    history = History(path)
    latest = history.add(report_of(9))

    assert history.report(latest) == report_of(9)
    assert len(history.entries()) == (4 if history.set_aside is None else 1)
    for entry in history.entries():
        with contextlib.suppress(InputError):
            assert history.report(entry.id) in {latest: [report_of(9)]}.get(entry.id, map(report_of, (1, 2, 3)))


def test_two_damaged_files_in_a_day_are_both_kept(tmp_path: Path) -> None:
    """A second damaged file does not take the place of the first."""
    path = tmp_path / "history.sqlite3"
    for content in (b"first rubbish" * 99, b"second rubbish" * 99):
        path.write_bytes(content)
        History(path).entries()

    kept = sorted(tmp_path.glob("history.sqlite3.damaged-*"))
    assert [file.read_bytes().split()[0] for file in kept] == [b"first", b"second"]


def test_another_programs_database_is_not_written_into(tmp_path: Path) -> None:
    """A SQLite file with somebody else's tables is set aside whole."""
    path = tmp_path / "history.sqlite3"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE recipes (name TEXT)")
    database.close()
    history = History(path)

    assert history.entries() == ()
    assert history.set_aside is not None
    with sqlite3.connect(history.set_aside) as database:
        assert database.execute("SELECT count(*) FROM recipes").fetchone() == (0,)
    database.close()


def test_a_newer_files_is_refused_and_left_alone(history: History) -> None:
    """An older program neither reads nor changes what a newer one wrote, and says what to do."""
    history.add(sample_report())
    with sqlite3.connect(history.path) as database:
        database.execute("PRAGMA user_version = 99")
    database.close()
    before = history.path.read_bytes()

    with pytest.raises(HistoryError, match="newer version"):
        History(history.path).entries()
    assert history.path.read_bytes() == before


def test_an_older_file_is_brought_up_to_date(history: History) -> None:
    """A file of the first version keeps its entries when a later version adds to it."""
    number = history.add(sample_report())
    later = History(history.path, (*MIGRATIONS, "ALTER TABLE report ADD COLUMN note TEXT NOT NULL DEFAULT 'none'"))

    assert later.report(number) == sample_report()
    with sqlite3.connect(history.path) as database:
        assert database.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS) + 1,)
        assert database.execute("SELECT note FROM report").fetchall() == [("none",)]
    database.close()


def test_a_migration_that_fails_changes_nothing(history: History) -> None:
    """Half of a migration is never left behind."""
    number = history.add(sample_report())
    broken = (*MIGRATIONS, "ALTER TABLE report ADD COLUMN note TEXT; ALTER TABLE nothing ADD COLUMN x TEXT")
    with pytest.raises(HistoryError):
        History(history.path, broken).entries()

    assert History(history.path).report(number) == sample_report()


@pytest.mark.parametrize(
    "change",
    ["PRAGMA user_version = -1", "PRAGMA user_version = 0", "DROP TABLE receipt", "ALTER TABLE report DROP label"],
)
def test_tables_of_another_shape_are_said_with_what_to_do(history: History, change: str) -> None:
    """Nothing of it is thrown away, and nobody is left with SQLite's own words alone."""
    history.add(sample_report())
    with contextlib.closing(sqlite3.connect(history.path)) as database:
        database.executescript(change)
    with pytest.raises(HistoryError, match=r"Move the file away to start a new history\.$"):
        History(history.path).entries()


def test_an_entry_of_another_report_version_is_refused_alone(history: History) -> None:
    """One unreadable report says so; the others can be read."""
    number, other = history.add(report_of(1)), history.add(report_of(2))
    old = wire.encode(report_of(1)).replace(b'"schema_version": 1', b'"schema_version": 0')
    put(history, number, content=zlib.compress(old))

    with pytest.raises(InputError, match="schema version 0"):
        history.report(number)
    assert history.report(other) == report_of(2)


@pytest.mark.parametrize(
    "content",
    [b"", b"no zlib", zlib.compress(b'{"a": 1}'), zlib.compress(b"[" * 100_000), zlib.compress(b"{}")[:-3]],
    ids=["empty", "rubbish", "no report", "deep", "cut"],
)
def test_hostile_content_is_one_sentence(history: History, content: bytes) -> None:
    """Whatever stands in the place of a report is refused without a trace of Python."""
    number = history.add(sample_report())
    put(history, number, content=content)

    with pytest.raises(InputError) as caught:
        history.report(number)
    assert str(caught.value).startswith("This entry of the history")


def test_a_compressed_giant_is_not_unpacked(history: History) -> None:
    """A few bytes that would become gigabytes are refused at the size limit."""
    number = history.add(sample_report())
    bomb = zlib.compress(b" " * (wire.MAX_FILE_BYTES * 4), 9)
    assert len(bomb) < 100_000
    put(history, number, content=bomb)

    with pytest.raises(InputError, match="larger than"):
        history.report(number)


@pytest.mark.parametrize("summary", [b"", b"[]", b'{"created_at": 3}', b"\xff\xfe", b'"' + b"x" * 200_000])
def test_a_damaged_summary_costs_its_own_line_only(history: History, summary: bytes) -> None:
    """An entry whose facts cannot be read is still listed, and can be deleted."""
    number, other = history.add(report_of(1)), history.add(report_of(2))
    put(history, number, summary=summary)

    by_id = {entry.id: entry.summary for entry in history.entries()}
    assert by_id[number] is None
    assert by_id[other] is not None
    history.remove([number])
    assert [entry.id for entry in history.entries()] == [other]


def put(history: History, number: int, **columns: bytes) -> None:
    """Write into the file behind the store's back."""
    with sqlite3.connect(history.path) as database:
        for name, value in columns.items():
            database.execute(f"UPDATE report SET {name} = ? WHERE id = ?", (value, number))
    database.close()


def test_huge_names_make_a_small_entry(history: History) -> None:
    """Names of any length in a report from elsewhere do not swell the list."""
    report = sample_report()
    workload = msgspec.structs.replace(report.workload, title="<b>" * 100_000)
    history.add(msgspec.structs.replace(report, workload=workload, titles={"en": "x" * 100_000}))

    (entry,) = history.entries()
    assert entry.summary is not None
    assert len(entry.summary.workload) == len(entry.summary.titles["en"]) == 200


# --- places where nothing can be kept ---


def test_a_place_that_is_no_folder_is_said(tmp_path: Path) -> None:
    """Where no file can be made, each call says so in a sentence; nothing else fails."""
    (tmp_path / "file").write_text("in the way")
    history = History(tmp_path / "file" / "history.sqlite3")

    with pytest.raises(HistoryError, match="cannot be used"):
        history.add(sample_report())
    with pytest.raises(HistoryError, match="cannot be used"):
        history.entries()


def test_a_file_that_may_not_be_written_can_still_be_read(history: History, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a read-only disk the list is shown, and keeping a new check says why it cannot be."""
    number = history.add(sample_report())
    real = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda path, **rest: real(f"file:{path}?mode=ro", uri=True, **rest))
    locked = History(history.path)

    assert locked.report(number) == sample_report()
    with pytest.raises(HistoryError, match="may not write"):
        locked.add(report_of(5))


def test_a_full_disk_is_said_and_loses_nothing(history: History, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the file cannot grow, what was there before is still there."""
    number = history.add(sample_report())
    real = sqlite3.connect

    def connect(path: Path, **rest: Any) -> sqlite3.Connection:
        database: sqlite3.Connection = real(path, **rest)
        database.execute("PRAGMA max_page_count = 1")
        return database

    monkeypatch.setattr(sqlite3, "connect", connect)
    with pytest.raises(HistoryError, match="disk is full"):
        history.add(report_of(5, program_version="x" * 400_000))
    monkeypatch.undo()
    assert [entry.id for entry in history.entries()] == [number]


def test_a_report_beyond_the_limit_is_not_kept(history: History) -> None:
    """What could not be read back is not written."""
    with pytest.raises(InputError, match="larger than"):
        history.add(msgspec.structs.replace(sample_report(), program_version="x" * wire.MAX_FILE_BYTES))


def test_several_threads_may_write_at_once(history: History) -> None:
    """Two windows that finish a check at the same moment both keep it."""
    problems: list[BaseException] = []

    def keep(day: int) -> None:
        try:
            History(history.path).add(report_of(day))
        except BaseException as error:  # noqa: BLE001 - shown by the assertion
            problems.append(error)

    threads = [threading.Thread(target=keep, args=(day,)) for day in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert problems == []
    assert len(history.entries()) == 8


def test_the_file_follows_the_systems_habits(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The file is in the user's data folder, which an environment variable moves on Linux."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))

    assert history_path().name == "history.sqlite3"
    assert history_path().parent.name == "advisor"
    if os.name == "posix" and os.uname().sysname == "Linux":
        assert history_path() == tmp_path / "advisor" / "history.sqlite3"


@pytest.mark.parametrize("place", [b"CREATE TABLE report", b"CREATE INDEX report_by_date"])
def test_a_schema_that_is_no_text_is_set_aside(history: History, place: bytes) -> None:
    """SQLite repeats the damaged text in its message, which Python cannot decode."""
    history.add(report_of(1))
    history.path.write_bytes(history.path.read_bytes().replace(place, place.replace(b"TE", b"T\x8f"), 1))

    again = History(history.path)
    again.add(report_of(2))
    assert len(again.entries()) == 1
    assert again.set_aside is not None


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps rights in other ways")
def test_only_the_user_can_read_the_history(history: History) -> None:
    """The folder is made for the user alone, and a file that others could read is not left so."""
    history.add(report_of(1))
    modes = (history.path.parent.stat().st_mode & 0o777, history.path.stat().st_mode & 0o777)
    assert modes == (0o700, 0o600)

    history.path.chmod(0o644)
    History(history.path).entries()
    assert history.path.stat().st_mode & 0o777 == 0o600


# --- what came of an answer ---


def test_what_came_of_an_answer_stays_with_it(history: History) -> None:
    """It is listed with its entry, comes with its report, and takes the place of the one before it."""
    number = history.add(sample_report())
    for ratio in (1.5, 1.1):
        history.keep_receipt(number, made(ratio))
    history.keep_receipt(number, made(1.3, "measured"))

    (entry,) = History(history.path).entries()
    assert [(one.how, round(one.ratio, 2)) for one in entry.receipts] == [("told", 1.1), ("measured", 1.3)]
    assert history.report(number).receipts == entry.receipts


def test_a_file_of_the_first_version_takes_receipts(tmp_path: Path) -> None:
    """Its entries stay, and a time can be told for them."""
    old = History(tmp_path / "history.sqlite3", MIGRATIONS[:1])
    old.add(sample_report())
    now = History(old.path)
    (entry,) = now.entries()
    now.keep_receipt(entry.id, made(1.0))

    assert len(now.report(entry.id).receipts) == 1
    with sqlite3.connect(old.path) as database:
        assert database.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
    database.close()


def test_what_is_purged_takes_its_receipts_along(history: History) -> None:
    """Nothing of a deleted answer is left, and the number of another entry is not given to it."""
    number = history.add(sample_report())
    history.keep_receipt(number, made(1.0))
    history.remove([number])
    history.purge()

    with sqlite3.connect(history.path) as database:
        assert database.execute("SELECT count(*) FROM receipt").fetchone() == (0,)
    database.close()


def test_a_damaged_receipt_costs_itself_only(history: History) -> None:
    """The answer and its other receipts are read all the same."""
    number = history.add(sample_report())
    history.keep_receipt(number, made(1.0))
    history.keep_receipt(number, made(1.0, "measured"))
    with sqlite3.connect(history.path) as database:
        database.execute("UPDATE receipt SET content = ? WHERE how = 'told'", (b"{\xff",))
    database.close()

    (entry,) = history.entries()
    assert [one.how for one in entry.receipts] == ["measured"]


def test_where_a_damaged_file_went_is_told(tmp_path: Path) -> None:
    """A command says so at once: whoever asks it has no page that would."""
    path = tmp_path / "history.sqlite3"
    path.write_bytes(b"no database" * 99)
    told: list[Path] = []

    assert History(path, tell=told.append).entries() == ()

    assert [aside.read_bytes() for aside in told] == [b"no database" * 99]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such pipes")
def test_a_pipe_in_its_place_holds_nobody_up(tmp_path: Path) -> None:
    """To open one waits for whoever writes into it."""
    path = tmp_path / "history.sqlite3"
    os.mkfifo(path)

    with pytest.raises(HistoryError, match="cannot be used"):
        History(path).entries()


def test_the_last_question_is_kept_alone(history: History) -> None:
    """One at a time; looked for where there is no file, none is made; a damaged one counts as none."""
    assert history.question() is None
    assert not history.path.exists()
    job = sample_report().workload
    for samples in (100, 200):
        asked = PastQuestion(
            asked_at="2026-11-27T10:00:00+00:00",
            workload=msgspec.structs.replace(job, samples=samples),
            circumstances=Circumstances(runs_per_month=3.0),
        )
        history.keep_question(asked)
    assert History(history.path).question() == asked

    for damage in (b"{", b"{}", b"x" * 2**21):
        with sqlite3.connect(history.path) as database:
            database.execute("UPDATE question SET content = ?", (damage,))
        database.close()
        assert history.question() is None
    assert history.entries() == ()
