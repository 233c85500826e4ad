"""A great many changed documents for every reader, without what Hypothesis costs: ``make fuzz FUZZ=1000000``.

Changes are those of ``mutation.py``, drawn by a plain generator of numbers, so that a million take an hour of one
core; the price is that what fails is kept as it was found. It is written into ``corpus/<reader>``.
"""

import argparse
import json
import random
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from tests.fuzz.mutation import TOKENS, VALUES, at_place, places
from tests.fuzz.targets import TARGETS, Target
from tests.fuzz.test_fuzz import keep, read_within_limits

COSTLY = frozenset({"report", "machine", "shared", "history", "settings", "inventory"})
"""Readers whose documents take several milliseconds; they get half as many."""
PIECE = 2_000


def changed_document(seeds: Sequence[bytes], chance: random.Random, *, is_json: bool) -> bytes:
    """Return one of the documents, a little changed."""
    content = chance.choice(seeds)
    if is_json and chance.random() < 0.5:
        return _changed_values(content, chance)
    for _turn in range(chance.randint(1, 4)):
        place = chance.randint(0, len(content))
        end = min(len(content), place + chance.choice((0, 1, 2, 8, 64, 1000)))
        put = chance.choice(_PUTS)(chance, content[place:end])
        content = content[:place] + put + content[end:]
    return content


_PUTS: Sequence[Callable[[random.Random, bytes], bytes]] = (
    lambda chance, _there: chance.choice(TOKENS),
    lambda chance, _there: chance.randbytes(chance.randint(0, 8)),
    lambda _chance, there: there * 2,
)


def _changed_values(content: bytes, chance: random.Random) -> bytes:
    document = json.loads(content)
    known = list(places(document))
    for _turn in range(chance.randint(1, 3)):
        *above, last = chance.choice(known)
        try:
            node: Any = document
            for key in above:
                node = node[key]
            _change(node, last, document, known, chance)
            text = json.dumps(document)
        except (KeyError, IndexError, TypeError, ValueError, RecursionError):  # gone before, or a circle
            break
        document = json.loads(text)
    try:
        return json.dumps(document).encode()
    except ValueError:
        return b"{}"


def _change(node: Any, last: str | int, document: Any, known: Sequence[Any], chance: random.Random) -> None:
    kind = chance.randrange(4)
    if kind < 2:
        other = chance.uniform(-1e6, 1e6) if chance.random() < 0.2 else chance.choice(VALUES)
        node[last] = other
    elif kind == 2:
        del node[last]
    else:
        node[last] = at_place(document, chance.choice(known))


def try_piece(name: str, count: int, seed: int) -> tuple[str, int, int, float]:
    """Try so many documents and return the reader, how many, how many failed, and the longest time in seconds."""
    target: Target = TARGETS[name]
    seeds, chance = target.seeds(), random.Random(f"{name} {seed}")
    failed, longest_s = 0, 0.0
    for _number in range(count):
        content = changed_document(seeds, chance, is_json=target.is_json)
        began_s = time.process_time()
        try:
            read_within_limits(target, content)
        except Exception as error:  # noqa: BLE001 - each is a fault, and is kept
            failed += 1
            keep(name, error)
            traceback.print_exc()
        longest_s = max(longest_s, time.process_time() - began_s)
    return name, count, failed, longest_s


def pieces(count: int, seed: int) -> list[tuple[str, int, int]]:
    """Return which reader gets how many documents from which seed, all readers in turn."""
    shares = {name: 1 if name in COSTLY else 2 for name in TARGETS}
    one = count / sum(shares.values())
    left = {name: round(one * share) for name, share in shares.items()}
    made = []
    while any(left.values()):
        for name, rest in left.items():
            size = min(PIECE, rest)
            if size:
                made.append((name, size, seed))
                left[name] = rest - size
        seed += 1
    return made


def main() -> int:
    """Try all, say how far it is after each piece, and end with 1 where any failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--processes", type=int, default=1)
    chosen = parser.parse_args()
    tried = failed = 0
    with ProcessPoolExecutor(chosen.processes) as pool:
        for name, count, wrong, longest_s in pool.map(try_piece, *zip(*pieces(chosen.count, chosen.seed), strict=True)):
            tried, failed = tried + count, failed + wrong
            sys.stdout.write(f"{tried:>9,} tried, {failed} failed; {name}: longest {longest_s:.2f} s\n")
            sys.stdout.flush()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
