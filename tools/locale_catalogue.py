"""Keep resources/locale in step with the texts in the code.

Without arguments: merge every text of the code into each language's .po; new ones are left empty for the translator,
those the code has given up are dropped. The comment at the top of a .po (the glossary) is the translator's and stays.
With ``--check``: change nothing; fail when a text is missing, superfluous, untranslated, fuzzy or has other
placeholders. With ``--wide``: list the short labels that need much more room in another language.
"""

import argparse
import itertools
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parent.parent
LOCALE = ROOT / "resources" / "locale"
LANGUAGES = ("es",)
ERRORS = (
    "InputError",
    "CatalogError",
    "PredictionError",
    "WorkerError",
    "HistoryError",
    "PackError",
    "OutputError",
    "InstallationError",
    "Phrase",
)
KEYWORDS = {
    **{"_": None, "N_": None, "gettext": None, "ngettext": (1, 2), "pgettext": ((1, "c"), 2)},
    **dict.fromkeys(ERRORS),  # an error's text stands where it is raised; the interfaces translate it
}
SHORT, WIDE_RATIO = 25, 1.8
PLACEHOLDER = re.compile(r"\{[^{}]*\}")
# No dates, authors or program versions: they would change the file without a change of its texts.
HEADER = """\
msgid ""
msgstr ""
"Project-Id-Version: advisor\\n"
"Language: {code}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: {plural_forms}\\n"

"""


def collect() -> Catalog:
    """Return all texts of the code and the templates, without line numbers (they would change every day)."""
    catalogue = Catalog(project="advisor", charset="utf-8")
    folders = {"advisor": [("**.py", "python")], "resources/templates": [("**.*", "jinja2")]}
    for folder, method_map in folders.items():
        found = extract_from_dir(
            ROOT / folder, method_map=method_map, keywords=KEYWORDS, comment_tags=("Translators:",)
        )
        for filename, _line, message, comments, context in sorted(found, key=lambda row: (row[0], row[1])):
            place: Any = (f"{folder}/{filename}", None)  # no line: Babel can leave it out, its types cannot
            catalogue.add(message, None, [place], auto_comments=comments, context=context)
    return catalogue


def path_of(code: str) -> Path:
    return LOCALE / code / "LC_MESSAGES" / "advisor.po"


def read(path: Path, code: str) -> Catalog:
    if not path.exists():
        return Catalog(locale=code, project="advisor", charset="utf-8")
    with path.open("rb") as file:
        return read_po(file, locale=code)


def comment_of(path: Path, code: str) -> str:
    """Return the comment at the top of a .po as it is written; Babel would take the blanks out of a table."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else [f"# Texts of advisor: {code}."]
    return "\n".join(itertools.takewhile(lambda line: line.startswith("#"), lines))


def write(catalogue: Catalog, path: Path, code: str) -> None:
    head = f"{comment_of(path, code)}\n{HEADER.format(code=code, plural_forms=catalogue.plural_forms)}"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.write(head.encode())
        write_po(
            file,
            catalogue,
            width=110,
            omit_header=True,
            sort_output=True,
            include_lineno=False,
            ignore_obsolete=True,
        )


def merge(template: Catalog, path: Path, code: str) -> None:
    catalogue = read(path, code)
    catalogue.update(template, no_fuzzy_matching=True, update_header_comment=False)
    catalogue.obsolete.clear()
    write(catalogue, path, code)


def problems(template: Catalog, path: Path, code: str) -> list[str]:
    return [f"{code}: {fault}" for fault in _faults(template, read(path, code))]


def _faults(template: Catalog, catalogue: Catalog) -> Iterator[str]:
    for message in texts_of(template):
        fault = fault_of(message, catalogue.get(message.id, message.context))
        if fault:
            yield f"{fault}: {message.id!r} ({message.locations[0][0]})"
    for message in texts_of(catalogue):
        if template.get(message.id, message.context) is None:
            yield f"no longer in the code: {message.id!r}"


def texts_of(catalogue: Catalog) -> Iterator[Message]:
    """Yield every text but the header."""
    return (message for message in catalogue if message.id)


def forms(text: str | list[str] | tuple[str, ...] | None) -> tuple[str, ...]:
    """Return the forms of a text: one, or one for each plural; of none an empty one."""
    return (text or "",) if text is None or isinstance(text, str) else tuple(text)


def fault_of(message: Message, translated: Message | None) -> str | None:
    """Return what is wrong with a translation; a singular may leave out a placeholder, nothing else may."""
    if translated is None or not all(forms(translated.string)):
        return "not translated"
    if message.pluralizable != translated.pluralizable:
        return "has a plural on one side only"
    if translated.fuzzy:
        return "marked fuzzy"
    wanted = {mark for text in forms(message.id) for mark in PLACEHOLDER.findall(text)}
    *singular, last = (set(PLACEHOLDER.findall(text)) for text in forms(translated.string))
    if (set().union(last, *singular)) - wanted:
        return "has a placeholder that the original lacks"
    if last != wanted:
        return "lacks a placeholder"
    return None


def wide(template: Catalog, catalogue: Catalog) -> Iterator[tuple[str, str, str]]:
    """Yield short labels with a much longer translation, and the file whose layout must bear it."""
    for message in texts_of(template):
        translated = catalogue.get(message.id, message.context)
        for label, other in zip(forms(message.id), forms(translated.string), strict=False) if translated else ():
            if len(label) < SHORT and len(other) > WIDE_RATIO * len(label):
                yield label, other, message.locations[0][0]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing, report what is missing")
    parser.add_argument("--wide", action="store_true", help="list short labels that grow by much; change nothing")
    arguments = parser.parse_args()
    template = collect()
    if arguments.wide:
        for code in LANGUAGES:
            for label, other, place in wide(template, read(path_of(code), code)):
                print(f"{code}  {len(other) / len(label):.1f}  {label!r} -> {other!r}  ({place})")
        return 0
    if arguments.check:
        found = [fault for code in LANGUAGES for fault in problems(template, path_of(code), code)]
        print("\n".join(found) if found else f"All {len(template)} texts are translated.")
        return 1 if found else 0
    for code in LANGUAGES:
        merge(template, path_of(code), code)
    return 0


if __name__ == "__main__":
    sys.exit(main())
