"""What the kernel of Windows tells of its processor, from recorded answers."""

import struct

from hypothesis import given
from hypothesis import strategies as st

from advisor.probe.windows_processor import caches, instruction_sets

_CORE, _CACHE = 0, 2
_UNIFIED, _CODE, _DATA, _TRACE = 0, 1, 2, 3


def _entry(relation: int, level: int = 0, size: int = 0, kind: int = 0) -> bytes:
    """Return one entry as winnt.h lays it out: offsets 0, 8, 16, 17, 18, 20, 24 of 32 bytes."""
    entry = bytearray(32)
    for form, at, value in (("<Q", 0, 3), ("<I", 8, relation), ("<B", 16, level), ("<I", 20, size), ("<I", 24, kind)):
        struct.pack_into(form, entry, at, value)
    return bytes(entry)


def test_features() -> None:
    """A feature counts where the call returns anything but 0."""
    assert instruction_sets(lambda number: 1 if number in {10, 40} else 0) == ("AVX2",)
    assert instruction_sets(lambda _: 0) == ()


def test_caches_add_up() -> None:
    """Each core's caches add up, a shared one counts once, and what is no cache does not count."""
    core = (
        _entry(_CORE),
        _entry(_CACHE, 1, 32768, _DATA),
        _entry(_CACHE, 1, 65536, _CODE),
        _entry(_CACHE, 2, 1 << 20),
    )
    table = b"".join((*core, *core, _entry(_CACHE, 3, 32 << 20, _UNIFIED), _entry(_CACHE, 1, 9, _TRACE)))
    assert caches(table) == {"L1d": 65536, "L1i": 131072, "L2": 2 << 20, "L3": 32 << 20}


@given(st.binary(max_size=200))
def test_any_table(table: bytes) -> None:
    """A table that was cut or is of another build gives sizes or nothing."""
    assert all(size > 0 for size in caches(table).values())
