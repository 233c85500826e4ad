"""Steps with freed memory given back to the system and kept, in turn."""

import ctypes
import sys
from types import SimpleNamespace

import pytest

from advisor.worker.failure import NotSupportedError

pytestmark = pytest.mark.torch


def test_another_c_library_is_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where memory cannot be kept so, the case says that, and nothing is changed."""
    from advisor.worker import allocator

    monkeypatch.setattr(ctypes, "CDLL", lambda name: SimpleNamespace())
    with pytest.raises(NotSupportedError, match="glibc"):
        allocator.keep_freed_memory(True)


def test_a_refused_setting_is_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Mallopt returns 0 where it does not do what it is told."""
    from advisor.worker import allocator

    library = SimpleNamespace(gnu_get_libc_version=None, mallopt=lambda parameter, value: 0)
    monkeypatch.setattr(ctypes, "CDLL", lambda name: library)
    with pytest.raises(NotSupportedError, match="refuses"):
        allocator.keep_freed_memory(True)


@pytest.mark.skipif(sys.platform != "linux", reason="only glibc tells")
def test_what_the_heap_holds() -> None:
    """A freed block below one in use stays with the heap; where the library does not say, nothing is said."""
    from advisor.worker.allocator import held_bytes

    library = ctypes.CDLL(None)
    library.malloc.restype = ctypes.c_void_p
    before = held_bytes()
    if before is None:
        pytest.skip("a glibc before 2.33, or none")
    blocks = [ctypes.c_void_p(library.malloc(2**16)) for _block in range(200)]
    taken = held_bytes()
    for block in blocks[::2]:  # a neighbour of each stays, so that none goes back to the system
        library.free(block)
    freed = held_bytes()
    for block in blocks[1::2]:
        library.free(block)

    assert taken is not None
    assert freed is not None
    assert freed - taken > 50 * 2**16  # Python, and whatever runs beside, take and free a little meanwhile


def test_another_c_library_says_nothing_of_its_heap(monkeypatch: pytest.MonkeyPatch) -> None:
    """None is not zero."""
    from advisor.worker import allocator

    monkeypatch.setattr(ctypes, "CDLL", lambda name: SimpleNamespace())
    assert allocator.held_bytes() is None
