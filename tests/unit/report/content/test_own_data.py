"""The section about the user's data."""

import msgspec
import pytest

from advisor.locale import Language, language
from advisor.records.hardware.machine import Disk
from advisor.records.results.measured.measurement import Case, Measurement, Series
from advisor.records.results.measured.own_data import FileFormat, OwnData
from advisor.records.results.report import Report
from advisor.report.content.document_builder import document
from tests.unit.report import samples
from tests.unit.report.content.measured.results import words

EN, ES = language("en"), language("es")
PHOTOS = OwnData(
    kind="image",
    formats=(FileFormat(name="jpeg", files=1990), FileFormat(name="png", files=10)),
    files=2000,
    other_files=3,
    unreadable=1,
    samples=2000,
    size_bytes=60 * 1024**2,
    width=500,
    height=375,
    disk=Disk(kind="hdd", free_bytes=80 * 1024**3),
)
LOADED = Measurement(
    case=Case(id="data/cpu", program="data"),
    samples_s=(0.02,),
    median_s=0.02,
    iqr_s=0.0,
    details={
        "warm_bytes_per_s": 2e9,
        "cold_bytes_per_s": 1e8,
        "sequential_bytes_per_s": 2e8,
        "refused_files": 2.0,
    },
    series=(Series(x="loaders", y="items_per_s", points=((0.0, 152.0), (2.0, 280.0))),),
)


def said(data: OwnData, one: Measurement | None, lang: Language) -> str:
    """Return the section's words."""
    report: Report = samples.enough()
    assert report.benchmark is not None
    measured = report.benchmark.measurements + (() if one is None else (one,))
    benchmark = msgspec.structs.replace(report.benchmark, measurements=measured)
    told = document(msgspec.structs.replace(report, data=data, benchmark=benchmark), lang)
    return words(next(section for section in told.sections if section.id == "own_data").blocks)


def test_photos_are_told_with_their_rates() -> None:
    """What they are, where they lie, how fast they are read and loaded, and what is wrong with them."""
    text = said(PHOTOS, LOADED, EN)
    assert "2,000 images (jpeg, png)" in text
    assert "about 500 × 375 pixels" in text
    assert "only the first epoch reads the disk" in text
    assert "hard disk" in text
    assert "one file here and one there: 0.1" in text
    assert "read from its beginning" in text
    assert "cannot be decoded: 2;" in text
    assert "152" in text
    assert "280" in text


def test_who_gives_memory_back_is_told_what_keeps_it() -> None:
    """Only where it is much; small photos stay where they are."""
    for ratio, is_told in ((1.8, True), (1.05, False)):
        one = msgspec.structs.replace(LOADED, details=LOADED.details | {"fresh_ratio": ratio})
        assert ("MALLOC_TRIM_THRESHOLD_=67108864" in said(PHOTOS, one, EN)) == is_told
        assert ("1,8 veces" in said(PHOTOS, one, ES)) == is_told


def test_a_fed_step_is_told_with_the_best_number_of_processes() -> None:
    """Beside what it takes alone, in both languages."""
    fed = Measurement(
        case=Case(id="fed", program="fed", batch_size=32),
        samples_s=(0.1,),
        median_s=0.1,
        iqr_s=0.0,
        details={"alone_s": 0.044, "batch": 32.0},
        series=(Series(x="loaders", y="fed_step_s", points=((0.0, 0.146), (1.0, 0.128))),),
    )
    text = said(PHOTOS, fed, EN)
    for part in ("with 32 samples takes 44 ms", "130 ms while", "those tried: 1.", "150 ms"):
        assert part in text.replace("\N{NO-BREAK SPACE}", " "), text
    assert "44" in said(PHOTOS, fed, ES)
    assert "set_num_threads" not in text
    for seconds, is_said in ((0.1, True), (0.125, False)):
        fewer = {"fewer_threads": 1.0, "fewer_threads_loaders": 1.0, "fewer_threads_s": seconds}
        tried = msgspec.structs.replace(fed, details=fed.details | fewer)
        for language_of in (EN, ES):
            assert ("torch.set_num_threads(1)" in said(PHOTOS, tried, language_of)) == is_said


def test_it_is_told_in_spanish_too() -> None:
    """The same in the other language."""
    text = said(PHOTOS, LOADED, ES)
    assert "2000 imágenes (jpeg, png)" in text
    assert "unos 500 × 375 píxeles" in text
    assert "solo la primera época" in text


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"size_bytes": 10**15}, "every epoch reads the disk"),
        ({"is_complete": False}, "at least 2,000 images"),
        ({"kind": "archive", "samples": 50_000}, "50,000 samples"),
        ({"kind": "table"}, "read once and kept in memory"),
        ({"kind": "audio"}, "Nothing installed here decodes these files"),
    ],
)
def test_what_differs_is_said(change: dict[str, object], text: str) -> None:
    """Data beyond memory, beyond the time of counting, and beyond what can be decoded."""
    one = msgspec.structs.replace(LOADED, series=(), details={"warm_bytes_per_s": 2e9})
    assert text in said(msgspec.structs.replace(PHOTOS, **change), one, EN)


def test_a_report_without_data_has_no_such_section() -> None:
    """Nothing was named, nothing is said."""
    assert all(section.id != "own_data" for section in document(samples.enough(), EN).sections)
