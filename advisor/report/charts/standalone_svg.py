"""A chart that stands alone: its style inside, its colours resolved, for whatever knows no style sheet of a page."""

import re
from functools import cache

from advisor.resource import resource_path

_COLOUR = re.compile(r"--(\w+): (#[0-9a-f]{3,6});")
_USE = re.compile(r"var\(--(\w+)\)")
_WITHIN = re.compile(r"\bsvg (?=[.\w])")
# Toolkits that do not know paint-order would draw the outline over the letters: it becomes a text of its own below.
_OUTLINED = re.compile(r"paint-order:[^}]*")
_LABEL = re.compile(r'(<text [^>]*class=")(label[^"]*)("[^>]*>[^<]*</text>)')
_FAMILIES = re.compile(r"font-family: ([^;]*);")


def standalone(svg: str, *, is_dark: bool = False, is_contrast: bool = False) -> str:
    """Return a chart's picture as a complete file in the colours of paper, or of a dark page; with no faint letters."""
    outlined = _LABEL.sub(r"\1halo\3\1\2\3", svg)
    return outlined.replace(">", f"><style>{_style(is_dark=is_dark, is_contrast=is_contrast)}</style>", 1)


def font_families() -> list[str]:
    """Return the fonts of charts and printed pages, best first."""
    return re.findall(r'"([^"]+)"', _template("fonts.css"))


def font_rule() -> str:
    """Return the rule of a style sheet that names these fonts."""
    return _template("fonts.css")


def with_family(picture: str, family: str) -> str:
    """Return a picture that stands alone with one font, for toolkits that take no list of them."""
    return _FAMILIES.sub(f'font-family: "{family}";', picture, count=1)


def page_colours(*, is_dark: bool = False) -> dict[str, str]:
    """Return the colours of a report by purpose, such as ``ink`` or ``cloud``."""
    found: dict[str, list[str]] = {}
    for name, code in _COLOUR.findall(_template("report.css")):
        found.setdefault(name, []).append(code)  # the light one, the dark one, and that of paper
    return {name: codes[1 if is_dark and len(codes) > 1 else 0] for name, codes in found.items()}


@cache
def _style(*, is_dark: bool, is_contrast: bool) -> str:
    colours = page_colours(is_dark=is_dark)
    if is_contrast:
        colours |= {"soft": colours["ink"], "rule": colours["soft"]}
    rules = _USE.sub(lambda match: colours[match.group(1)], _template("charts.css"))
    return _template("fonts.css") + _WITHIN.sub("", _OUTLINED.sub("", rules))


def _template(name: str) -> str:
    return resource_path("templates", name).read_text(encoding="utf-8")
