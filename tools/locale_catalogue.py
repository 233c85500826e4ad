"""Keep resources/locale in step with the texts in the code.

Without arguments: collect every text into advisor.pot and merge it into each language's .po.
With ``--check``: change nothing; fail when a text is missing, untranslated, fuzzy or has other placeholders.
"""

import argparse
import re
import sys
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parent.parent
LOCALE = ROOT / "resources" / "locale"
LANGUAGES = ("es",)
KEYWORDS = {"_": None, "N_": None, "gettext": None, "ngettext": (1, 2)}
PLACEHOLDER = re.compile(r"\{[^{}]*\}")


def collect() -> Catalog:
    """Return all texts of the code and the templates, without line numbers (they would change every day)."""
    catalogue = Catalog(project="advisor", charset="utf-8", header_comment="# Texts of advisor.")
    folders = {"advisor": [("**.py", "python")], "resources/templates": [("**.*", "jinja2")]}
    for folder, method_map in folders.items():
        found = extract_from_dir(
            ROOT / folder, method_map=method_map, keywords=KEYWORDS, comment_tags=("Translators:",)
        )
        for filename, _line, message, comments, context in sorted(found, key=lambda row: (row[0], row[1])):
            catalogue.add(message, None, [(f"{folder}/{filename}", None)], auto_comments=comments, context=context)
    return catalogue


def read(path: Path, code: str) -> Catalog:
    if not path.exists():
        return Catalog(locale=code, project="advisor", charset="utf-8")
    with path.open("rb") as file:
        return read_po(file, locale=code)


def merge(template: Catalog, path: Path, code: str) -> None:
    catalogue = read(path, code)
    catalogue.update(template, no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, catalogue, width=110, sort_output=True, include_lineno=False, ignore_obsolete=True)


def problems(template: Catalog, path: Path, code: str) -> list[str]:
    catalogue = read(path, code)
    found = []
    for message in template:
        if message.id:
            translated = catalogue.get(message.id, message.context)
            fault = fault_of(message, translated)
            if fault:
                found.append(f"{code}: {fault}: {message.id!r} ({message.locations[0][0]})")
    return found


def fault_of(message: Message, translated: Message | None) -> str | None:
    if translated is None or not translated.string or (message.pluralizable and not all(translated.string)):
        return "not translated"
    if translated.fuzzy:
        return "marked fuzzy"
    originals = message.id if isinstance(message.id, (tuple, list)) else [message.id]
    texts = translated.string if isinstance(translated.string, (tuple, list)) else [translated.string]
    allowed = {mark for text in originals for mark in PLACEHOLDER.findall(text)}
    for text in texts:
        if set(PLACEHOLDER.findall(text)) - allowed:
            return "has a placeholder that the original lacks"
    if not message.pluralizable and set(PLACEHOLDER.findall(texts[0])) != allowed:
        return "lacks a placeholder"
    return None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing, report what is missing")
    arguments = parser.parse_args()
    template = collect()
    paths = {code: LOCALE / code / "LC_MESSAGES" / "advisor.po" for code in LANGUAGES}
    if arguments.check:
        found = [fault for code, path in paths.items() for fault in problems(template, path, code)]
        print("\n".join(found) if found else f"All {len(template)} texts are translated.")
        return 1 if found else 0
    for code, path in paths.items():
        merge(template, path, code)
    return 0


if __name__ == "__main__":
    sys.exit(main())
