"""Names as people write them: with other hyphens, as on the Hub, or slightly wrong."""

import difflib
import re
from collections.abc import Iterable

_ENDING = re.compile(
    r"([-_: ](instruct|it|pt|chat|base|hf|uncased|cased|latest|preview|thinking|v\d+(\.\d+)*|\d{4}|gguf|awq|gptq|bnb"
    r"|[48][- ]?bit|i?q\d\w*|fp16|bf16)"
    r"|\.\w*in\d+k\w*)$",  # the weights of a model of timm, such as .fb_in22k_ft_in1k
    re.IGNORECASE,
)
"""What follows a model's name on the Hub without making it another network: its training, version, date or format."""


def plain_name(name: str) -> str:
    """Return a name without what people write differently: case, blanks, dots, hyphens."""
    return "".join(character for character in name.casefold() if character.isalnum())


def spellings(name: str) -> tuple[str, ...]:
    """Return the plain names that a written one may mean, the likeliest first.

    As written; without its owner on the Hub (``Qwen/…``); then without one ending after the other (``-Instruct``).
    """
    short = name.strip().rstrip("/").rpartition("/")[2]
    found = [name, short]
    while (shorter := _ENDING.sub("", short)) != short:
        found.append(shorter)
        short = shorter
    return tuple(dict.fromkeys(plain for one in found if (plain := plain_name(one))))


def nearest_names(name: str, known: Iterable[str]) -> tuple[str, ...]:
    """Return up to three known names like a misspelled one: those it begins, then those that look alike."""
    plain = {plain_name(spelling): spelling for spelling in known}
    written = spellings(name)
    begun = [spelling for one in written for spelling, full in plain.items() if _begins(one, full)]
    alike = [like for one in written for like in difflib.get_close_matches(one, plain, n=3, cutoff=0.6)]
    return tuple(plain[spelling] for spelling in dict.fromkeys([*begun, *alike]))[:3]


def _begins(written: str, known: str) -> bool:
    """Return whether a plain name begins a known one, not within a number: llama3 begins llama3.1, not llama_30b."""
    for end in range(1, len(known) + 1):
        if plain_name(known[:end]) == written:
            return not known[end - 1 : end + 1].isdecimal() or end == len(known)
    return False
