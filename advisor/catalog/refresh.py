"""Renew the cloud prices, only when the user asks for it: the one place of this package that uses the network.

What comes in is checked before anything is replaced; what is wrong leaves the old prices of that provider as they were.
"""

import csv
import datetime
import http.client
import io
import shutil
import struct
import urllib.error
import urllib.request
import zipfile
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec

from advisor.catalog.offers import (
    Origin,
    clear_offers,
    default_folder,
    is_country,
    offer_from_row,
    offers,
    read_offers,
    read_origins,
    shipped_folder,
)
from advisor.errors import CatalogError, system_reason
from advisor.locale import Language
from advisor.records.hardware.device import Offer, RefreshCode, RefreshProblem, RefreshResult
from advisor.waiting import within

CATALOG_URL = "https://dstack-gpu-pricing.s3.eu-west-1.amazonaws.com/v3"
"""Where gpuhunt publishes its catalogue: ``<provider>/version`` and ``<provider>/<version>/catalog.zip``.

Source: gpuhunt 0.1.34, ``gpuhunt/_internal/catalog.py``; a contract test compares."""

PROVIDERS = ("aws", "azure", "gcp", "lambdalabs", "nebius", "oci", "runpod", "verda")
MAX_DOWNLOAD_BYTES = 64 * 1024**2
TIMEOUT_S = 30.0
DOWNLOAD_S = 120.0
"""For one file: who sends a byte now and then keeps to ``TIMEOUT_S`` for days."""
MAX_PLACEHOLDER_RATIO = 0.05
MAX_DETAIL = 200
"""Characters of what was seen that a sentence repeats; it may come from outside."""
EUROPEAN = (
    "eu",
    "west",
    "north",
    "norway",
    "france",
    "german",
    "uk",
    "spain",
    "ital",
    "swed",
    "pol",
    "switz",
    "fin",
    "fr-",
    "austria",
    "belgium",
    "ice-",
)
LATIN_AMERICAN = ("sa-", "southamerica", "northamerica-south", "brazil", "mexico", "mx-", "chile")
_NOT_EUROPEAN = ("us", "westus", "westcentralus", "northcentralus", "northamerica", "westindia")

EUROPEAN_COUNTRIES = frozenset([
    "AD", "AL", "AT", "AX", "BA", "BE", "BG", "BY", "CH", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FO", "FR",
    "GB", "GG", "GI", "GR", "HR", "HU", "IE", "IM", "IS", "IT", "JE", "LI", "LT", "LU", "LV", "MC", "MD", "ME",
    "MK", "MT", "NL", "NO", "PL", "PT", "RO", "RS", "RU", "SE", "SI", "SJ", "SK", "SM", "UA", "VA",
])  # fmt: skip
"""Countries of Europe, by which RunPod's list names the place of other people's machines; Cyprus is in the European
Union.

Source: United Nations, Standard country or area codes for statistical use (M49), Europe (150), ISO-alpha2 codes."""
LATIN_AMERICAN_COUNTRIES = frozenset([
    "AG", "AI", "AR", "AW", "BB", "BL", "BO", "BQ", "BR", "BS", "BV", "BZ", "CL", "CO", "CR", "CU", "CW", "DM",
    "DO", "EC", "FK", "GD", "GF", "GP", "GS", "GT", "GY", "HN", "HT", "JM", "KN", "KY", "LC", "MF", "MQ", "MS",
    "MX", "NI", "PA", "PE", "PR", "PY", "SR", "SV", "SX", "TC", "TT", "UY", "VC", "VE", "VG", "VI",
])  # fmt: skip
"""Source: the same, Latin America and the Caribbean (419)."""

Fetcher = Callable[[str], bytes]


class RefusedError(Exception):
    """Prices that are not taken over; carries the code of a ``RefreshProblem``."""

    def __init__(self, code: RefreshCode, detail: str) -> None:
        super().__init__(detail)
        self.code = code


class SilentError(RefusedError):
    """There is no answer; whoever waited for it need not wait once more for each provider."""


def refresh_offers(
    target_dir: Path | None = None, fetcher: Fetcher | None = None, today: datetime.date | None = None
) -> RefreshResult:
    """Fetch the providers' prices, check them, and store them for the next call of ``offers``.

    Args:
        target_dir: Folder of the user's own snapshot; None: ``default_folder()``.
        fetcher: Returns the content behind an address; None: the network.
        today: Date the prices are marked with.
    """
    target = target_dir or default_folder()
    before = offers(target)
    as_of = (today or datetime.date.today()).isoformat()
    files: dict[str, str] = {}
    problems: list[RefreshProblem] = []
    silence: SilentError | None = None
    for provider in PROVIDERS:
        try:
            if silence is not None:  # all lists are on one server
                raise silence
            files[provider] = fetch_provider(provider, as_of, fetcher or download, _count(before, provider))
        except RefusedError as error:
            silence = error if isinstance(error, SilentError) else silence
            problems.append(RefreshProblem(provider=provider, code=error.code, detail=_printable(str(error))))
    if files:
        try:
            _store(target, files, as_of)
        except OSError as error:
            detail = str(system_reason(error))
            problems += [RefreshProblem(provider=provider, code="not_stored", detail=detail) for provider in files]
            files = {}
    clear_offers()
    return RefreshResult(renewed=tuple(files), problems=tuple(problems), offer_count=len(offers(target)))


def _printable(text: str) -> str:
    kept = "".join(sign if sign.isprintable() else "?" for sign in text)
    return kept if len(kept) <= MAX_DETAIL else f"{kept[: MAX_DETAIL - 1]}…"


def explain_problem(problem: RefreshProblem, language: Language) -> str:
    """Return the sentence that says why a provider keeps its old prices."""
    _ = language.gettext
    sentences = {
        "unreachable": _("The prices of {provider} could not be fetched ({detail}); the old ones stay in use."),
        "unreadable": _("What came as prices of {provider} cannot be read ({detail}); the old ones stay in use."),
        "nonsense": _("The new prices of {provider} make no sense ({detail}); the old ones stay in use."),
        "too_few": _("The new price list of {provider} is too short ({detail}); the old one stays in use."),
        "not_stored": _("The new prices of {provider} could not be stored ({detail}); the old ones stay in use."),
    }
    return sentences[problem.code].format(provider=problem.provider, detail=_(problem.detail))


def fetch_provider(provider: str, as_of: str, fetcher: Fetcher, count_before: int) -> str:
    """Return the checked price file of one provider, reduced to a representative selection.

    Raises:
        RefusedError: It cannot be had or is not to be trusted.
    """
    rows = _rows(_unzip(provider, _fetch(provider, fetcher)))
    selected = select(check(rows, provider, as_of))
    if not selected or 2 * len(selected) < count_before:
        raise RefusedError("too_few", f"{len(selected)} offers, {count_before} before")
    kept = write_rows(rows[index] for index in sorted(selected))
    try:
        list(read_offers(kept, provider, as_of))
    except CatalogError as error:  # such as a sign in a field that nobody looks at, which the table cannot hold
        raise RefusedError("nonsense", str(error)) from error
    return kept


def check(rows: list[dict[str, str]], provider: str, as_of: str) -> dict[int, Offer]:
    """Return the offers by row number.

    Raises:
        RefusedError: A row with an accelerator has no price or lacks a field, or many prices are placeholders.
    """
    found: dict[int, Offer] = {}
    accelerated = 0
    for index, row in enumerate(rows):
        accelerated += row.get("gpu_count") not in {None, "", "0"}
        try:
            offer = offer_from_row(row, provider, as_of)
        except ValueError as error:
            raise RefusedError("nonsense", f"{row.get('instance_name') or 'a row'}: {error}") from error
        if offer is not None:
            found[index] = offer
    if accelerated - len(found) > MAX_PLACEHOLDER_RATIO * max(accelerated, 1):
        raise RefusedError("nonsense", f"{accelerated - len(found)} of {accelerated} prices are placeholders")
    return found


def select(found: dict[int, Offer]) -> list[int]:
    """Return the rows to keep: of each machine the cheapest, and the cheapest in Europe and in Latin America.

    A provider's own machine and another customer's are two, whatever their names.
    """
    best: dict[tuple[str, int, bool, bool, str], int] = {}
    for index, offer in found.items():
        if offer.device is None:
            continue
        for area in {"anywhere", _area(offer.region)}:
            key = (offer.instance, offer.device_count, offer.spot, offer.is_marketplace, area)
            if key not in best or offer.price_usd_per_h < found[best[key]].price_usd_per_h:
                best[key] = index
    return sorted({index for (*_, area), index in best.items() if area != "elsewhere"})


def _area(region: str) -> str:
    if is_country(region):
        if region in LATIN_AMERICAN_COUNTRIES:
            return "latin_america"
        return "europe" if region in EUROPEAN_COUNTRIES else "elsewhere"
    name = region.lower()
    if name.startswith(LATIN_AMERICAN):
        return "latin_america"
    if name.startswith(EUROPEAN) and not name.startswith(_NOT_EUROPEAN):
        return "europe"
    return "elsewhere"


def write_rows(rows: Iterable[dict[str, str]]) -> str:
    """Return rows as a price file in gpuhunt's format."""
    kept = list(rows)
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, kept[0].keys(), lineterminator="\n")
    writer.writeheader()
    writer.writerows(kept)
    return buffer.getvalue()


def download(url: str) -> bytes:
    """Return what an address of the price catalogue holds.

    Raises:
        OSError: It cannot be reached in time or is larger than allowed.
    """
    content = within(DOWNLOAD_S, lambda: _read(url))
    if len(content) > MAX_DOWNLOAD_BYTES:
        raise OSError(f"larger than {MAX_DOWNLOAD_BYTES // 1024**2} MiB")
    return content


def _read(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=TIMEOUT_S) as response:
        content: bytes = response.read(MAX_DOWNLOAD_BYTES + 1)
    return content


def _fetch(provider: str, fetcher: Fetcher) -> bytes:
    try:
        version = fetcher(f"{CATALOG_URL}/{provider}/version").decode("ascii").strip()
        if not version or not version.replace("-", "").replace(".", "").isalnum():
            raise RefusedError("unreadable", "no version")
        return fetcher(f"{CATALOG_URL}/{provider}/{version}/catalog.zip")
    except UnicodeDecodeError as error:
        raise RefusedError("unreadable", "no version") from error
    except (OSError, urllib.error.URLError, http.client.HTTPException) as error:
        is_silent = isinstance(getattr(error, "reason", error), TimeoutError)  # the reason is urllib's
        refused = SilentError if is_silent else RefusedError
        raise refused("unreachable", system_reason(error)) from error


def _unzip(provider: str, content: bytes) -> str:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            member = archive.getinfo(f"{provider}.csv")
            if member.file_size > MAX_DOWNLOAD_BYTES:
                raise RefusedError("unreadable", f"larger than {MAX_DOWNLOAD_BYTES // 1024**2} MiB")
            if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):  # others have further errors
                raise RefusedError("unreadable", "packed in another way")
            return archive.read(member).decode("utf-8")
    except _DAMAGED as error:
        raise RefusedError("unreadable", f"{type(error).__name__}: {error}") from error


_DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    KeyError,
    OSError,  # a place in the file that cannot be
    OverflowError,
    RuntimeError,  # packed with a password, or in another way
    ValueError,
)
"""What opening a damaged archive, or one that is none, ends in."""


def _rows(text: str) -> list[dict[str, str]]:
    """Return the rows of a price file, each with a value for every column and no more.

    Raises:
        RefusedError: It is no such table.
    """
    table = csv.DictReader(io.StringIO(text))
    try:
        rows = list(table)
    except csv.Error as error:
        raise RefusedError("unreadable", f"line {table.line_num}: {error}") from error
    columns = set(table.fieldnames or ())
    for number, row in enumerate(rows, start=1):
        if row.keys() != columns:
            raise RefusedError("unreadable", f"row {number} has more values than there are columns")
    return rows


def _count(known: tuple[Offer, ...], provider: str) -> int:
    return sum(offer.provider == provider for offer in known)


def _store(target: Path, files: dict[str, str], as_of: str) -> None:
    """Build the new snapshot beside the old one, then swap the two folders."""
    fresh, retired = target.with_name(f"{target.name}.new"), target.with_name(f"{target.name}.old")
    for leftover in (fresh, retired):
        shutil.rmtree(leftover, ignore_errors=True)
    try:
        if target.is_dir():
            shutil.copytree(target, fresh)
        else:
            fresh.mkdir(parents=True)
        _write_snapshot(fresh, files, as_of)
        _swap(target, fresh, retired)
    finally:
        for leftover in (fresh, retired):
            shutil.rmtree(leftover, ignore_errors=True)


def _swap(target: Path, fresh: Path, retired: Path) -> None:
    if not target.is_dir():
        fresh.rename(target)
        return
    target.rename(retired)
    try:
        fresh.rename(target)
    except OSError:  # such as a virus scanner that holds the new folder: the old one goes back to its place
        retired.rename(target)
        raise


def _write_snapshot(folder: Path, files: dict[str, str], as_of: str) -> None:
    for provider, text in files.items():
        (folder / f"{provider}.csv").write_text(text, encoding="utf-8")
    try:
        origins = read_origins(folder)
    except CatalogError:  # a damaged own snapshot is replaced, not kept
        origins = {}
    shipped = read_origins(shipped_folder())
    for provider in files:
        known = shipped.get(provider)
        origins[provider] = Origin(
            as_of=as_of,
            title="gpuhunt catalogue, fetched by this program",
            author=known.author if known else provider,
            url=CATALOG_URL,
        )
    (folder / "snapshot.toml").write_text(write_origins(origins), encoding="utf-8")


def write_origins(origins: dict[str, Origin]) -> str:
    """Return the description of a snapshot, as TOML."""
    tables = []
    for provider, origin in origins.items():
        lines = [f"[{provider}]"]
        for field, value in msgspec.structs.asdict(origin).items():
            if value is not None:
                escaped = value.replace("\\", "\\\\").replace('"', '\\"')
                lines.append(f'{field} = "{escaped}"')
        tables.append("\n".join(lines) + "\n")
    return "\n".join(tables)
