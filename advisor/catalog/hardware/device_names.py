"""The spelling of device names: one key for all ways of writing the very same chip, different keys for different chips.

Owns what counts as the same spelling; must not know which devices exist. Nothing here is fuzzy: a laptop chip and its
desktop namesake, a ``Ti`` and a plain card, 6 and 12 GB always get different keys. What people leave out
(``short_forms``) and shorten (``respelt``) counts where it can mean one chip only. Only ``nearest`` compares loosely,
and only to suggest names to a user.
"""

import difflib
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

MAKERS = (
    "nvidia corporation|nvidia|advanced micro devices|amd|ati|intel corporation|intel|apple|google|habana labs|habana"
)

_REPLACEMENTS = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"\((?:r|tm|c)\)|[®™©]", " "),
        (r"@\s*[\d.]+\s*ghz", " "),  # "Intel(R) Core(TM) i7-10750H CPU @ 2.60GHz"
        (r"\b\d+(?:st|nd|rd|th) gen\b", " "),
        (r"\bwith radeon (?:vega )?graphics\b|\bw/ radeon .*", " "),
        (r"\b\d+-core processor\b|\bprocessor\b", " "),
        (r"\bwith max-?q(?: design)?\b|\bmax-?q(?: design)?\b", " maxq "),
        (r"\b(?:mobile|notebook)\b", " laptop "),
        (r"\b\d+cpu\+(\d+)gpu\b", r" \1core "),
        (r"\b(\d+)[- ]?(?:cores?|cu|c)\b(?: gpu)?", r" \1core "),  # Apple's variants: "GPU 38c", "(38-core GPU)"
        (
            r"\b(?:macbook|i?mac)(?: (?:air|pro|mini|studio))?\b(?: 1[3-6](?:[- ]?inch)?\b)?",
            " ",
        ),  # the Mac around a chip
        (r"(?<=\bm\d )air\b", " "),
        (r"\b(\d+(?:\.\d+)?)[ -]?(?:gib|gb|g)\b", r" \1gb "),
        (rf"\b(?:{MAKERS})\b", " "),
        (r"\b(?:geforce|tesla|radeon|instinct|graphics|gpu|card|series|generation|data ?center|the|jetson)\b", " "),
        (r"\b(?:engineering reference )?developer kit\b", " "),
        (r"\(nvgpu\)", " "),  # what NVML calls the driver of every Jetson
    )
)
_SERIES = frozenset({"rtx", "gtx", "gt", "quadro", "rx", "arc", "ai", "pro"})
_MAKER = re.compile(r"\b(?:nvidia|geforce|tesla|amd|radeon|instinct|intel)\b")
_SHORTHANDS = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"\b((?:16|20|40)\d0)s\b", r"\1 super"),
        (r"\b((?:10|16|20|30|40|50)[5-9]0)m\b", r"\1 laptop"),
        (r"\b(m\d(?: (?:pro|max|ultra))?) (\d+)$", r"\1 \2core"),
        (r"\bada (\d000)\b", r"\1 ada"),
        (r"^(i[3579])[- ]?(\d{4,5}\w*)$", r"core \1-\2"),
        (r"(?<=\w )(\d{1,3})$", r"\1gb"),
    )
)
_MEMORY = re.compile(r"\b(\d+(?:\.\d+)?)gb\b")
_WORD = re.compile(r"[a-z0-9.+]+")


@lru_cache(maxsize=4096)
def split_memory(name: str) -> tuple[str, float | None]:
    """Return the key of a name without its memory size, and that size in GiB where the name says it."""
    text = " ".join(name.casefold().split())
    is_apple = "apple" in text
    for pattern, replacement in _REPLACEMENTS:
        text = pattern.sub(replacement, text)
    sizes = _MEMORY.findall(text)
    text = _MEMORY.sub(" ", text)
    words = _WORD.findall(text)
    if not is_apple:  # Apple's processor and graphics share a chip name, so the word counts there
        words = [word for word in words if word != "cpu"]
    if "laptop" in words:
        words = [*(word for word in words if word != "laptop"), "laptop"]
    if "maxq" in words:  # Max-Q chips are laptop chips; some names say both
        words = [word for word in words if word not in {"laptop", "maxq"}] + ["maxq"]
    return "".join(words), float(sizes[0]) if sizes else None


def normalise(name: str) -> str:
    """Return the key of a name: equal for all spellings of the same chip, with its memory size where it is said."""
    key, memory_gib = split_memory(name)
    return key if memory_gib is None else f"{key}|{memory_gib:g}"


def short_forms(name: str) -> Iterator[str]:
    """Yield the keys of a name without the words for its series, as people type it: ``4060 Ti`` for ``RTX 4060 Ti``.

    Only such as still have a number: "TITAN X" alone would be two chips.
    """
    words = _MAKER.sub(" ", name.casefold()).split()
    while words and words[0] in _SERIES:
        words = words[1:]
        key = normalise(" ".join(words))
        if any(character.isdigit() for character in key.partition("|")[0]):
            yield key


def respelt(name: str) -> Iterator[str]:
    """Yield what a short way of writing may stand for: ``4080s``, ``4070m``, ``A100 80``, ``M2 Max 38``."""
    text = " ".join(name.casefold().split())
    for pattern, replacement in _SHORTHANDS:
        longer = pattern.sub(replacement, text)
        if longer != text:
            yield longer


def nearest(name: str, known: Iterable[str], count: int = 4) -> tuple[str, ...]:
    """Return up to ``count`` known names that look like ``name``, best first, to suggest to a user."""
    by_text = {candidate.casefold(): candidate for candidate in known}
    keys = {text: split_memory(text)[0] for text in by_text}
    key = split_memory(name)[0]
    containing = sorted((text for text in by_text if key and key in keys[text]), key=len)
    shared = {text: _common_length(key, keys[text]) for text in by_text}
    beginning = sorted(
        (text for text in by_text if 2 * shared[text] > len(key)),
        key=lambda text: (-shared[text], *_unlikeness(key, keys[text]), text),
    )
    close = difflib.get_close_matches(name.casefold(), by_text, n=count, cutoff=0.6)
    short = {one.partition("|")[0]: text for text in by_text for one in short_forms(text)}
    typed = [short[one] for one in difflib.get_close_matches(key, short, n=count, cutoff=0.7)]
    ranked = dict.fromkeys([*containing, *beginning, *close, *typed])
    return tuple(by_text[text] for text in ranked)[:count]


def _unlikeness(first: str, second: str) -> tuple[float, bool]:
    """Return how unlike two texts are, least first; characters that changed places are the likeliest slip."""
    return -difflib.SequenceMatcher(None, first, second).ratio(), sorted(first) != sorted(second)


def _common_length(first: str, second: str) -> int:
    """Return how many characters two texts have in common at their beginning."""
    return next(
        (index for index, pair in enumerate(zip(first, second, strict=False)) if pair[0] != pair[1]),
        min(len(first), len(second)),
    )
