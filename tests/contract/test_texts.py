"""The texts of the program: each one can be translated, is translated, and is written as Spanish is written."""

import ast
import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from babel.messages.catalog import Catalog

from advisor.catalog import presets
from advisor.locale import catalogue_path
from advisor.recommend import load_rules
from tests.tool_module import tool_module

locale_catalogue = tool_module("locale_catalogue")
ROOT = Path(__file__).resolve().parent.parent.parent
FACES = ("advisor/cli", "advisor/gui", "advisor/report")
TRANSLATORS = frozenset(locale_catalogue.KEYWORDS)
FOR_MAINTAINERS = frozenset({"CatalogError"})  # a damaged installation: names of files and rows, in English

# Two words, or one that begins like a label: what a user could read.
READABLE = re.compile(r"[^\W\d_]{2,}[,.:;]? +[^\W\d_]{2,}|^[A-Z][a-z]+[.…!?]?$")
# Literals of the interfaces that look like words but are none of ours, and why.
NO_TEXTS = {
    "BERT base": "name of a network",
    "BERT large": "name of a network",
    "English": "a language is listed by its own name",
    "Esc": "what is written on the key",
    "Escape": "Qt's name of a key",
    "Fusion": "Qt's name of a style",
    "Linux": "what a system calls itself",
    "PCI Express ": "name of a link",
    "PCI Express": "name of a link",
    "Tab": "what is written on the key",
    "advisor --list devices": "a command",
    "advisor --list offers": "a command",
    "export MALLOC_MMAP_MAX_=0 MALLOC_TRIM_THRESHOLD_=-1": "a command",
    "advisor --list rules": "a command",
    "advisor --report saved.html --machine saved.json": "a command",
    "advisor --report measured.json": "a command",
    "label strong": "classes of the charts' style sheet",
    "python -m pip install --force-reinstall torch --index-url https://download.pytorch.org/whl/": "a command",
    "uv pip install --reinstall torch --torch-backend=auto": "a command",
}
NAMES_ONLY = {
    "__all__": "names of the module",
    "PROVIDERS": "names of companies",
    "MAKERS": "names of companies",
    "_OPTIMIZERS": "names of methods",
    "_PIECES": "comments and commands of files for other tools, in English like these",
    "NETWORKS": "names of networks; those that are no names are marked for translation",
}
CODE = re.compile(r"^<[a-z]+ |\(\?P<|^mark [a-z_ ]+$")  # begin of an SVG element, a pattern, classes of a chart's mark

# Words the glossary at the top of the .po has decided against.
AGAINST_THE_GLOSSARY = {
    r"\b(ordenador|computador[a]?|PC)(e?s)?\b": "equipo",
    r"\bdrivers?\b": "controlador",
    r"\bbatch(es)?\b": "lote",
    r"\bcluster(s)?\b": "clúster",
    r"\bcloud\b": "nube",
    r"\btarjetas? (de vídeo|de video|graficas?)\b": "tarjeta gráfica",
    r"\b(usted|ustedes)\b": "tú",
    r"\b(coste|costo)s?\b": "gasto, lo que cuesta: Spain has the one and America the other",
    r"\b(haga|pulse|seleccione|instale|reinicie|compruebe)\b": "tuteo",
    r"\bficheros?\b": "archivo: the one is said in Spain alone, the other everywhere; so are those that follow",
    r"\bmóvil(es)?\b": "teléfono",
    r"\bpuls(a|as|es)\b": "haz clic en",
    r"\bchapas?\b": "soporte",
    r"\bal venderl[oa]s?\b": "en la reventa: what is sold was a card here and a computer there",
    r"\bgui[oó]n(es)? de\b": "script",
    r"\b(una|la|tu|línea de) órden(es)?\b|\b(una|tu) orden\b": "comando",
    r"^\w+[aei]rme\b": "tuteo: Avísame",
    r"\b(el|la)s? mism[oa]s? (es|está|son|están)\b": "a pronoun or nothing",
    r"(?<!aún no se )(?<!cuánto )\b(h[ea]|has|han|hemos) (sido )?\w+(ado|ido|cho|sto|ito|erto)\b": "preterite",
    r"\bvaler?\b(?! la pena)|\bvald\w+": "sirve, es para",
    r"\bmerece la pena\b": "vale la pena",
    r"\bcómo de \w+": "a qué velocidad, qué tan",
    r"\blo rápido que\b|\bdeprisa\b": "con qué rapidez, más rápido",
    r"\bcortafuegos\b|\bsobremesa\b|\bdescodific|\b(en otro|ningún otro) sitio\b": "said in Spain alone",
    r"\b(el|un|este|los) portátil(es)?\b": "equipo portátil",
}


class Spanish(NamedTuple):
    """A Spanish text and what it says in English."""

    english: str
    text: str


@cache
def template() -> Catalog:
    """Return all texts of the code; finding them takes seconds, which whoever runs other tests need not wait."""
    found: Catalog = locale_catalogue.collect()
    return found


@cache
def spanish_catalogue() -> Catalog:
    """Return the Spanish of them."""
    found: Catalog = locale_catalogue.read(catalogue_path("es"), "es")
    return found


def _catalogue_texts() -> Iterator[Spanish]:
    for message in locale_catalogue.texts_of(spanish_catalogue()):
        pairs = zip(locale_catalogue.forms(message.id), locale_catalogue.forms(message.string), strict=True)
        yield from (Spanish(english, text) for english, text in pairs if text)


def _resource_texts() -> Iterator[Spanish]:
    for rule in load_rules():
        yield Spanish(rule.title["en"], rule.title["es"])
        yield Spanish(rule.text["en"], rule.text["es"])
    yield from (Spanish(preset.titles["en"], preset.titles["es"]) for preset in presets())


@cache
def all_texts() -> tuple[Spanish, ...]:
    """Return every Spanish text of the program."""
    return (*_catalogue_texts(), *_resource_texts())


def _faulty(is_good: Callable[[Spanish], bool]) -> list[str]:
    return [spanish.text for spanish in all_texts() if not is_good(spanish)]


def test_every_text_is_translated() -> None:
    """No text is missing, left over, empty or fuzzy, and each has the same placeholders as the English."""
    assert locale_catalogue.problems(template(), catalogue_path("es"), "es") == []


def test_merging_again_changes_nothing(tmp_path: Path) -> None:
    """The file is as the tool writes it, glossary and all, so that the next merge shows only what is new."""
    copy = tmp_path / "advisor.po"
    copy.write_bytes(catalogue_path("es").read_bytes())
    locale_catalogue.merge(template(), copy, "es")
    assert copy.read_bytes() == catalogue_path("es").read_bytes()


def test_the_header_says_what_gettext_needs_and_nothing_that_ages() -> None:
    """No date, no placeholder name, no fuzzy mark; the glossary is there."""
    head = catalogue_path("es").read_text(encoding="utf-8").partition("\n\n")[0]
    assert '"Plural-Forms: nplurals=2; plural=(n != 1);\\n"' in head
    assert "# Glossary" in head
    assert not re.search(r"Date|fuzzy|FIRST AUTHOR|EMAIL|FULL NAME", head)


def _sources(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def _place(path: Path, line: int) -> str:
    return f"{path.relative_to(ROOT)}:{line}"


def _called(call: ast.Call) -> str:
    function = call.func
    if isinstance(function, ast.Name):
        return function.id
    return function.attr if isinstance(function, ast.Attribute) else ""


def _is_translation(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and _called(node) in TRANSLATORS


def _must_be_found(call: ast.Call) -> bool:
    return _called(call) in TRANSLATORS - FOR_MAINTAINERS


def _known_texts() -> set[str]:
    texts = {form for message in locale_catalogue.texts_of(template()) for form in locale_catalogue.forms(message.id)}
    return texts | {message.context for message in locale_catalogue.texts_of(template()) if message.context}


def _literals(node: ast.AST) -> Iterator[str]:
    """Yield the strings among what is translated, f-strings as such; the key of a look-up is none."""
    if isinstance(node, ast.JoinedStr):
        yield f"f-string: {ast.unparse(node)}"
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif not isinstance(node, ast.Subscript):
        for child in ast.iter_child_nodes(node):
            yield from _literals(child)


def test_every_marked_text_is_found() -> None:
    """What is translated is a plain literal: no f-string, no sum, no text within another call: Babel overlooks them."""
    known, lost = _known_texts(), []
    for path in _sources("advisor"):
        if path.is_relative_to(ROOT / "advisor" / "worker"):
            continue  # the measuring process knows no language; what it says is kept as a detail
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and _must_be_found(node):
                unknown = [text for one in node.args for text in _literals(one) if text not in known]
                lost += [f"{_place(path, node.lineno)} {text}" for text in unknown]
    assert lost == []


def _readable(node: ast.AST) -> Iterator[ast.Constant]:
    """Yield the strings below a node that a user could read and nobody translates."""
    if _is_translation(node) or _is_docstring(node) or _names_only(node):
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and READABLE.search(node.value):
        yield node
    for field, child in ast.iter_fields(node):
        children = child if isinstance(child, list) else [child]
        for each in children:
            if isinstance(each, ast.AST) and field not in {"annotation", "returns"}:
                yield from _readable(each)


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _names_only(node: ast.AST) -> bool:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return any(isinstance(target, ast.Name) and target.id in NAMES_ONLY for target in targets)


def test_nothing_a_person_reads_escapes_translation() -> None:
    """Every readable string of window, command line and report is translated, or listed above with a reason."""
    found = [
        (text.value, _place(path, text.lineno))
        for path in _sources(*FACES)
        for text in _readable(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(text.value, str) and not CODE.search(text.value)
    ]
    assert [f"{place} {text!r}" for text, place in found if text not in NO_TEXTS] == []
    assert set(NO_TEXTS) - {text for text, _place in found} == set(), "listed, but no longer in the code"


def test_questions_and_exclamations_are_opened() -> None:
    """¿ and ¡ open what ? and ! close."""
    assert _faulty(lambda one: one.text.count("¿") == one.text.count("?")) == []
    assert _faulty(lambda one: one.text.count("¡") == one.text.count("!")) == []


@pytest.mark.parametrize("mark", ["'", '"'])
def test_straight_marks_are_around_something_to_type(mark: str) -> None:
    """They stand only where the English has them too."""
    assert _faulty(lambda one: one.text.count(mark) in {0, one.english.count(mark)}) == []


def test_quotation_marks_are_spanish() -> None:
    """« » quote."""
    assert _faulty(lambda one: not set("“”„‘‚’") & set(one.text)) == []
    assert _faulty(lambda one: one.text.count("«") == one.text.count("»")) == []
    assert _faulty(lambda one: not set("«»") & set(one.english)) == [], "English quotes with “ ”"


def test_spaces_are_where_spanish_has_them() -> None:
    """Single, none before a sign or inside marks, a no-break one between number and unit."""
    assert _faulty(lambda one: "  " not in one.text) == []
    assert _faulty(lambda one: not re.search(r"\s[,;:.?!»)…](\s|$)|[«¿¡(]\s", one.text.lstrip())) == []
    assert _faulty(lambda one: not re.search(r"[\d}] (%|s|ms|min|GB|W|°C)(\W|$)", one.text)) == []
    ends = [(one, [(text[:1].isspace(), text[-1:].isspace()) for text in one]) for one in all_texts()]
    assert [one.text for one, (english, spanish) in ends if english != spanish] == []


def test_letters_are_composed() -> None:
    """An accent is part of its letter, so that searching and sorting find it."""
    assert _faulty(lambda one: unicodedata.normalize("NFC", one.text) == one.text) == []


def test_a_sentence_stays_a_sentence() -> None:
    """The last sign is that of the English; a label has none in both."""
    assert _faulty(lambda one: _last_sign(one.text) == _last_sign(one.english)) == []


def _last_sign(text: str) -> str:
    last = text.rstrip().rstrip(")»\"'")[-1:]
    return last if last in ".:…?!" else ""


def test_numbers_with_decimals_come_from_the_code() -> None:
    """A decimal comma depends on the region, so our texts have none; figures quoted from an article may."""
    quoted = set(_resource_texts())
    numbers = [(one, re.findall(r"\d+[.,]\d+", one.text)) for one in all_texts() if one not in quoted]
    assert [one.text for one, found in numbers if not all(number in one.english for number in found)] == []


@pytest.mark.parametrize("pattern", AGAINST_THE_GLOSSARY)
def test_the_glossary_is_kept(pattern: str) -> None:
    """One word for one thing, tuteo everywhere."""
    unwanted = re.compile(pattern, re.IGNORECASE)
    assert _faulty(lambda one: not unwanted.search(_without_places(one.text))) == []


def _without_places(text: str) -> str:
    return locale_catalogue.PLACEHOLDER.sub("", text)


def test_no_short_label_of_the_window_grows_beyond_measure() -> None:
    """Buttons, captions and table headers have room for three times the English, not for more."""
    wide = locale_catalogue.wide(template(), spanish_catalogue())
    assert [row for row in wide if "/gui/" in row[2] and len(row[1]) > 3 * len(row[0])] == []
