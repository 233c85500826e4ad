"""Renew the price snapshot in resources/catalog/offers from gpuhunt's catalogue.

The same checks and the same selection apply as when a user renews prices from within the program. Without a folder
the catalogue is downloaded. Prices of providers outside it (CoreWeave, Scaleway …) stay as they are.

Usage:
    python tools/make_offers.py
    python tools/make_offers.py FOLDER_OF_CSV_FILES --as-of 2026-10-10 --title "AWS price list, as collected by …"
"""

import argparse
import datetime
import io
import sys
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import msgspec

from advisor.catalog.offers import Origin, read_origins, shipped_folder
from advisor.catalog.refresh import (
    CATALOG_URL,
    PROVIDERS,
    Fetcher,
    RefusedError,
    download,
    fetch_provider,
    write_origins,
)


def from_folder(folder: Path) -> Fetcher:
    """Return a fetcher that answers with the files ``<provider>.csv`` of a folder."""

    def fetch(url: str) -> bytes:
        provider, _, rest = url.removeprefix(f"{CATALOG_URL}/").partition("/")
        if rest == "version":
            return b"folder"
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.write(folder / f"{provider}.csv", f"{provider}.csv")
        return packed.getvalue()

    return fetch


def renew(folder: Path, fetcher: Fetcher, as_of: str, title: str) -> bool:
    """Renew what can be had; return whether every provider was renewed."""
    path = folder / "snapshot.toml"
    heading = path.read_text(encoding="utf-8").partition("[")[0]
    origins = read_origins(folder)
    complete = True
    for provider in PROVIDERS:
        try:
            text = fetch_provider(provider, as_of, fetcher, count_before=0)
        except RefusedError as error:
            print(f"{provider}: kept, because {error}")
            complete = False
            continue
        (folder / f"{provider}.csv").write_text(text, encoding="utf-8", newline="\n")
        known = origins.get(provider, Origin(as_of=as_of, title=title, author=provider))
        origins[provider] = msgspec.structs.replace(known, as_of=as_of, title=title)
        print(f"{provider}: {text.count(chr(10)) - 1} offers")
    path.write_text(heading + write_origins(origins), encoding="utf-8", newline="\n")
    return complete


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", help="files <provider>.csv in gpuhunt's format")
    parser.add_argument("--as-of", default=datetime.date.today().isoformat(), help="ISO date of the prices")
    parser.add_argument("--title", default=f"gpuhunt catalogue, {CATALOG_URL}", help="where they come from")
    parser.add_argument("--target", type=Path, default=shipped_folder(), help="folder to renew")
    options = parser.parse_args()
    fetcher = from_folder(options.folder) if options.folder else download
    return 0 if renew(options.target, fetcher, options.as_of, options.title) else 1


if __name__ == "__main__":
    raise SystemExit(main())
