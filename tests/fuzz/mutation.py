"""Change a document a little: its bytes, or the values of its JSON."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from hypothesis import strategies as st

Place = tuple[str | int, ...]

TOKENS = (
    b"\x00", b"\xff", b"\x8f", b"\r\n", b"\x1b[31m", b"\\u202e", "\u202e".encode(), b"[" * 3000, b"{" * 3000,
    b"9" * 5000, b"1e400", b"-0", b"NaN", b"null", b"true", b"\"\"", b"'''", b"\"\"\"", b"@Variant(\\0\\0\\0\\x41)",
    b"../../etc/passwd", b"{0.__class__}", b"{{", b"%s", b"=", b",", b"#", b"\n", b"[[", b"]]", b"<script>",
)  # fmt: skip
VALUES: Sequence[Any] = (
    None, True, False, 0, -1, 1, 2**31, 2**63, 10**400, 5e-324, 1e308, -1e308, "", " ", "\x00", "\u202e", "x" * 5000,
    "{0}", "{run_s}", "<b>", "../..", "2026-13-45", "NaN", [], [[]], {}, {"": None},
)  # fmt: skip


@st.composite
def changed_bytes(draw: st.DrawFn, seeds: Sequence[bytes]) -> bytes:
    """Return one of the documents with some of its bytes cut, doubled, replaced or joined by odd ones."""
    content = draw(st.sampled_from(seeds))
    for _turn in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(content)))
        end = min(len(content), place + draw(st.sampled_from((0, 1, 2, 8, 64, 1000))))
        put = draw(st.sampled_from(TOKENS) | st.binary(max_size=8) | st.just(content[place:end] * 2))
        content = content[:place] + put + content[end:]
    return content


@st.composite
def changed_json(draw: st.DrawFn, seeds: Sequence[bytes]) -> bytes:
    """Return one of the documents with some of its values replaced, removed, or moved to another place."""
    document = json.loads(draw(st.sampled_from(seeds)))
    known = list(places(document))
    for _turn in range(draw(st.integers(1, 3))):
        *above, last = draw(st.sampled_from(known))
        try:
            node = document
            for key in above:
                node = node[key]
            if draw(st.booleans()):
                node[last] = draw(st.sampled_from(VALUES) | st.floats() | st.text(max_size=12))
            elif draw(st.booleans()):
                del node[last]
            else:
                node[last] = at_place(document, draw(st.sampled_from(known)))
            text = json.dumps(document)
        except (KeyError, IndexError, TypeError, ValueError, RecursionError):  # gone by an earlier change, or a circle
            break
        document = json.loads(text)
    try:
        return json.dumps(document).encode()
    except ValueError:
        return b"{}"


def places(node: Any, place: Place = ()) -> Iterator[Place]:
    """Yield where each value of a document stands; of long lists the first three."""
    pairs = node.items() if isinstance(node, dict) else enumerate(node[:3]) if isinstance(node, list) else ()
    for key, value in pairs:
        yield (*place, key)
        yield from places(value, (*place, key))


def at_place(document: Any, place: Place) -> Any:
    """Return the value that stands there."""
    for key in place:
        document = document[key]
    return document
