"""Renew the cloud prices, only when the user asks for it: the one place of this package that uses the network."""

import datetime
import http.client
import io
import socket
import threading
import zipfile
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.catalog import refresh
from advisor.catalog.offers import (
    clear_offers,
    is_country,
    offer_from_row,
    offers,
    read_origins,
    refused_prices,
    shipped_folder,
    snapshot_dates,
)
from advisor.catalog.refresh import (
    CATALOG_URL,
    EUROPEAN_COUNTRIES,
    LATIN_AMERICAN_COUNTRIES,
    PROVIDERS,
    RefusedError,
    explain_problem,
    fetch_provider,
    refresh_offers,
    select,
)
from advisor.locale import language
from advisor.records.hardware.device import RefreshProblem
from tests.unit.catalog.archives import HEADER, price_file, row

TODAY = datetime.date(2030, 1, 2)


def archive(provider: str, text: str) -> bytes:
    """Return a catalogue as the server packs it."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(f"{provider}.csv", text)
    return packed.getvalue()


class Server:
    """Answers with the shipped prices of every provider at half price, except where told otherwise."""

    def __init__(self, **answers: bytes | Exception) -> None:
        self.answers = answers
        self.asked: list[str] = []

    def __call__(self, url: str) -> bytes:
        """Return what stands behind an address of the catalogue."""
        self.asked.append(url)
        provider, rest = url.removeprefix(f"{CATALOG_URL}/").split("/", 1)
        if rest == "version":
            return b"20300101-7\n"
        assert rest == "20300101-7/catalog.zip"
        answer = self.answers.get(provider)
        if isinstance(answer, Exception):
            raise answer
        return answer or archive(provider, cheaper(provider))


def cheaper(provider: str) -> str:
    """Return the shipped prices of a provider, halved."""
    lines = (shipped_folder() / f"{provider}.csv").read_text(encoding="utf-8").splitlines()
    halved = [line.split(",", 3) for line in lines[1:]]
    return "\n".join([lines[0], *(f"{a},{b},{float(price) / 2},{rest}" for a, b, price, rest in halved), ""])


def cheapest(folder: Path, provider: str) -> float:
    """Return the lowest price of a provider."""
    return min(offer.price_usd_per_h for offer in offers(folder) if offer.provider == provider)


def contents(folder: Path) -> dict[str, bytes]:
    """Return every file of a folder."""
    return {path.name: path.read_bytes() for path in folder.iterdir()} if folder.is_dir() else {}


def test_good_prices_are_taken_over(target: Path) -> None:
    """New prices that pass the checks are stored, preferred and marked with their day."""
    before = cheapest(target, "aws")
    result = refresh_offers(target, Server(), TODAY)
    assert (set(result.renewed), result.problems) == (set(PROVIDERS), ())
    assert result.offer_count == len(offers(target))
    assert cheapest(target, "aws") == pytest.approx(before / 2)
    assert snapshot_dates(target)["aws"] == "2030-01-02"
    assert snapshot_dates(target)["coreweave"] < "2030"
    assert sorted(path.name for path in target.parent.iterdir()) == ["offers"]


TRUNCATED = archive("aws", price_file(row()))[:-30]


def damaged() -> bytes:
    """Return an archive whose content is no deflated stream, as a broken download leaves it."""
    good = archive("aws", cheaper("aws"))
    middle = len(good) // 2
    return good[:middle] + bytes(byte ^ 0xFF for byte in good[middle : middle + 40]) + good[middle + 40 :]


def encrypted() -> bytes:
    """Return an archive that says it needs a password."""
    content = bytearray(archive("aws", price_file(row())))
    content[6] |= 1
    content[content.index(b"PK\x01\x02") + 8] |= 1
    return bytes(content)


REFUSED: list[tuple[str, bytes | Exception, str]] = [
    ("network down", OSError("no route to host"), "unreachable"),
    ("cut off", ConnectionResetError("reset"), "unreachable"),
    ("truncated", TRUNCATED, "unreadable"),
    ("a web page", b"<html>blocked</html>", "unreadable"),
    ("another file inside", archive("gcp", price_file(row())), "unreadable"),
    ("price zero", archive("aws", price_file(row(), row(price="0"))), "nonsense"),
    ("price negative", archive("aws", price_file(row(price="-1"))), "nonsense"),
    ("price is no number", archive("aws", price_file(row(price="nan"))), "nonsense"),
    ("price missing", archive("aws", price_file(row(price=""))), "nonsense"),
    ("no GPU name", archive("aws", price_file(row(gpu_name=""))), "nonsense"),
    ("columns missing", archive("aws", "instance_name,price\nbig,1\n"), "nonsense"),
    ("cores without end", archive("aws", price_file(row(cpu="inf"))), "nonsense"),
    ("memory without end", archive("aws", price_file(row(memory="1e999"))), "nonsense"),
    ("memory of the card without end", archive("aws", price_file(row(gpu_memory="inf"))), "nonsense"),
    ("fewer than no cards", archive("aws", price_file(row(gpu_count="-1"))), "nonsense"),
    ("more cards than there are", archive("aws", price_file(row(gpu_count="9" * 400))), "nonsense"),
    ("a list for data", archive("aws", price_file(row(provider_data="[]"))), "nonsense"),
    ("data without end", archive("aws", price_file(row(provider_data="[" * 100_000))), "nonsense"),
    ("a date that is none", archive("aws", price_file(row(provider_data='{"as_of":7}'))), "nonsense"),
    ("a name that moves the cursor", archive("aws", price_file(row(instance_name="\x1b[2J"))), "nonsense"),
    ("a field of megabytes", archive("aws", price_file(row(flags="x" * 200_000))), "unreadable"),
    ("more values than columns", archive("aws", price_file(row(flags="a,b"))), "unreadable"),
    ("damaged on the way", damaged(), "unreadable"),
    ("with a password", encrypted(), "unreadable"),
    ("ends too soon", http.client.IncompleteRead(b"PK"), "unreachable"),
    ("no answer that is one", http.client.BadStatusLine("<html>"), "unreachable"),
    ("placeholders", archive("aws", price_file(*[row(price="700")] * 9, row())), "nonsense"),
    ("one offer left", archive("aws", price_file(row())), "too_few"),
    ("empty", archive("aws", HEADER + "\n"), "too_few"),
]


@pytest.mark.parametrize(("answer", "code"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED])
def test_bad_prices_change_nothing(target: Path, answer: bytes | Exception, code: str) -> None:
    """What cannot be had or makes no sense is refused with its reason; the old file stays, the others are renewed."""
    refresh_offers(target, Server(), TODAY - datetime.timedelta(days=1))
    before = contents(target)["aws.csv"]
    result = refresh_offers(target, Server(aws=answer), TODAY)
    assert [(problem.provider, problem.code) for problem in result.problems] == [("aws", code)]
    assert set(result.renewed) == set(PROVIDERS) - {"aws"}
    assert contents(target)["aws.csv"] == before
    dates = snapshot_dates(target)
    assert (dates["aws"], dates["gcp"]) == ("2030-01-01", "2030-01-02")


def test_no_network_writes_nothing(target: Path) -> None:
    """Without network no file is written and the shipped prices stay."""
    before = offers(target)

    def offline(url: str) -> bytes:
        raise OSError(f"cannot resolve {url}")

    result = refresh_offers(target, offline, TODAY)
    assert result.renewed == ()
    assert {problem.code for problem in result.problems} == {"unreachable"}
    assert not target.exists()
    assert offers(target) == before


def test_who_does_not_answer_is_not_asked_again(target: Path) -> None:
    """All lists are on one server: a proxy that says nothing was waited for eight times, four minutes in all."""
    server = Server(aws=TimeoutError())
    result = refresh_offers(target, server, TODAY)
    assert [problem.provider for problem in result.problems] == list(PROVIDERS)
    assert {(problem.code, problem.detail) for problem in result.problems} == {("unreachable", "there is no answer")}
    assert all("/aws/" in url for url in server.asked)


def test_a_server_that_drips_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A byte now and then ends every limit on a single wait."""
    is_over = threading.Event()

    def drip(listening: socket.socket) -> None:
        connection, _address = listening.accept()
        with connection:
            while not is_over.wait(0.01):
                connection.sendall(b"H")

    monkeypatch.setattr(refresh, "DOWNLOAD_S", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=drip, args=(listening,))
        thread.start()
        with pytest.raises(TimeoutError):
            refresh.download(f"http://127.0.0.1:{listening.getsockname()[1]}/")
        is_over.set()
        thread.join()


def test_folder_that_cannot_be_written(tmp_path: Path) -> None:
    """A place where nothing can be stored is said, for each provider, and the old prices stay."""
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    result = refresh_offers(blocked / "offers", Server(), TODAY)
    assert {problem.code for problem in result.problems} == {"not_stored"}
    assert result.renewed == ()


def test_version_that_is_a_page(target: Path) -> None:
    """A captive portal's page instead of a version is refused before anything else is asked for."""

    def portal(url: str) -> bytes:
        return b"<!doctype html>"

    result = refresh_offers(target, portal, TODAY)
    assert {problem.code for problem in result.problems} == {"unreadable"}


def test_older_own_snapshot_is_ignored(target: Path) -> None:
    """An own snapshot older than the shipped one does not count."""
    before = cheapest(target, "aws")
    refresh_offers(target, Server(), datetime.date(2020, 1, 1))
    assert cheapest(target, "aws") == before


def test_damaged_own_snapshot_is_ignored_and_replaced(target: Path) -> None:
    """An own snapshot that cannot be read does not count, and the next renewal replaces it."""
    target.mkdir(parents=True)
    (target / "snapshot.toml").write_text("[aws\n")
    clear_offers()
    assert snapshot_dates(target) == snapshot_dates(target.parent)
    assert refresh_offers(target, Server(), TODAY).problems == ()
    assert read_origins(target).keys() == set(PROVIDERS)


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"instance_name,price\nbig,1\n", None])
def test_a_damaged_own_file_costs_its_provider_only(target: Path, content: bytes | None) -> None:
    """The shipped prices stand in for it and it is named; the others' own ones count, and a renewal fixes it."""
    refresh_offers(target, Server(), TODAY)
    if content is None:
        (target / "aws.csv").unlink()
    else:
        (target / "aws.csv").write_bytes(content)
    clear_offers()
    assert snapshot_dates(target)["gcp"] == "2030-01-02"
    assert snapshot_dates(target)["aws"] == snapshot_dates(target.parent)["aws"]
    assert cheapest(target, "aws") == cheapest(target.parent, "aws")
    assert list(refused_prices(target)) == ["aws"]
    assert "aws.csv" in refused_prices(target)["aws"]
    assert refresh_offers(target, Server(), TODAY).problems == ()
    assert refused_prices(target) == {}
    assert snapshot_dates(target)["aws"] == "2030-01-02"


def test_a_strangers_machine_does_not_hide_a_dependable_one() -> None:
    """Of the same name, the cheapest of either kind is kept."""
    regions = {0: ("SE", "1.0"), 1: ("EU-RO-1", "2.0"), 2: ("EU-RO-1", "3.0"), 3: ("CA", "1.5")}
    found = {
        key: offer_from_row(row(location=where, price=usd), "runpod", "2026") for key, (where, usd) in regions.items()
    }
    assert select({key: offer for key, offer in found.items() if offer is not None}) == [0, 1]


@pytest.mark.parametrize(
    ("region", "is_kept"),
    [
        ("CZ", True),
        ("CY", True),
        ("IS", True),
        ("GB", True),
        ("BR", True),
        ("DO", True),
        ("CA", False),
        ("US", False),
        ("IL", False),
        ("westeurope", True),
        ("westindia", False),
        ("ICE-01", True),
        ("austriaeast", True),
        ("northamerica-south1", True),
        ("northamerica-northeast1", False),
        ("mx-central-1", True),
    ],
)
def test_a_machine_in_europe_or_latin_america_is_kept_beside_a_cheaper_one(region: str, is_kept: bool) -> None:
    """RunPod's list names the country of other people's machines, other lists have regions of their own."""
    found = {0: offer_from_row(row(location="JP", price="1.0"), "runpod", "2026"),
             1: offer_from_row(row(location=region, price="2.0"), "runpod", "2026")}  # fmt: skip
    kept = select({key: msgspec.structs.replace(offer, is_marketplace=True) for key, offer in found.items() if offer})
    assert kept == ([0, 1] if is_kept else [0])


def test_each_country_lies_in_one_area() -> None:
    """As many as the United Nations count: 51 in Europe, Cyprus beside them, and 52 in Latin America."""
    assert (len(EUROPEAN_COUNTRIES), len(LATIN_AMERICAN_COUNTRIES)) == (52, 52)
    assert not EUROPEAN_COUNTRIES & LATIN_AMERICAN_COUNTRIES
    assert all(is_country(code) for code in EUROPEAN_COUNTRIES | LATIN_AMERICAN_COUNTRIES)


@given(st.binary(max_size=60), st.integers(min_value=0, max_value=400))
def test_any_damage_to_an_archive_is_refused_or_harmless(noise: bytes, place: int) -> None:
    """Whatever a bad line puts into a download."""
    good = archive("aws", cheaper("aws"))
    hurt = good[:place] + noise + good[place + len(noise) :]
    ends = good[: -place - len(noise)] + noise + good[len(good) - place :]
    for content in (hurt, ends, good[:place]):
        with suppress(RefusedError):
            assert fetch_provider("aws", "2030-01-02", Server(aws=content), 1).startswith(HEADER)


@pytest.mark.parametrize("code", ["unreachable", "unreadable", "nonsense", "too_few", "not_stored"])
def test_every_problem_has_a_sentence(code: str) -> None:
    """Each reason is told in a sentence with the provider and the detail."""
    problem = RefreshProblem(provider="aws", code=code, detail="no route")  # type: ignore[arg-type]
    sentence = explain_problem(problem, language("en"))
    assert "aws" in sentence
    assert "no route" in sentence
    assert sentence.endswith(".")
