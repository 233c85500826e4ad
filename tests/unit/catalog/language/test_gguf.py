"""The head of a GGUF file tells its model; a damaged file is said."""

import struct
from pathlib import Path
from typing import Any

import pytest

from advisor.catalog.language.gguf import read_gguf
from advisor.errors import InputError
from advisor.predict.serving.size import parameter_count

VALUES: dict[str, Any] = {
    "general.architecture": "llama",
    "general.name": "Small",
    "llama.block_count": 2,
    "llama.embedding_length": 64,
    "llama.attention.head_count": 4,
    "llama.attention.head_count_kv": 2,
    "llama.feed_forward_length": 128,
    "llama.context_length": 512,
    "tokenizer.ggml.tokens": ["a", "b"],
}
TENSORS: dict[str, tuple[int, ...]] = {
    "token_embd.weight": (64, 99),
    "output.weight": (64, 99),
    "blk.0.ffn_gate.weight": (64, 128),
}


def text(value: str) -> bytes:
    """Return a text as the format has it."""
    return struct.pack("<Q", len(value)) + value.encode()


def packed(value: Any) -> bytes:
    """Return a value with its kind."""
    if isinstance(value, list):
        return struct.pack("<IIQ", 9, 8, len(value)) + b"".join(map(text, value))
    return struct.pack("<I", 8) + text(value) if isinstance(value, str) else struct.pack("<II", 4, value)


def head(values: dict[str, Any], tensors: dict[str, tuple[int, ...]]) -> bytes:
    """Return the head of a file."""
    content = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(values))
    content += b"".join(text(name) + packed(value) for name, value in values.items())
    for name, shape in tensors.items():
        content += text(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, 0, 0)
    return content


def test_a_head_tells_the_model(tmp_path: Path) -> None:
    """Sizes, grouped queries, and whether the output layer is the embedding."""
    path = tmp_path / "small.gguf"
    path.write_bytes(head(VALUES, TENSORS))
    found = read_gguf(path)
    assert (found.title, found.layers, found.key_value_heads, found.vocabulary) == ("Small", 2, 2, 99)
    assert not found.tied
    layer = 64 * 64 * 2 + 64 * 32 * 2 + 3 * 64 * 128 + 2 * 64
    assert parameter_count(found) == 2 * layer + 2 * 99 * 64 + 64


@pytest.mark.parametrize("length", [0, 3, 10, 40, 120, 300])
def test_a_cut_file_is_said(tmp_path: Path, length: int) -> None:
    """Wherever it was cut."""
    path = tmp_path / "cut.gguf"
    path.write_bytes(head(VALUES, TENSORS)[:length])
    with pytest.raises(InputError, match="GGUF"):
        read_gguf(path)


def test_a_file_of_something_else_is_said(tmp_path: Path) -> None:
    """No architecture, or one without layers."""
    for values in ({"general.architecture": "llama"}, {"general.name": "nothing"}):
        path = tmp_path / "other.gguf"
        path.write_bytes(head(values, TENSORS))
        with pytest.raises(InputError, match="GGUF"):
            read_gguf(path)


@pytest.mark.parametrize(
    ("values", "tensors"),
    [({"llama.attention.head_count": 0}, {}), ({}, {"token_embd.weight": ()})],
    ids=["no heads", "no dimensions"],
)
def test_numbers_that_make_no_sense_are_said(tmp_path: Path, values: dict[str, Any], tensors: dict[str, Any]) -> None:
    """Whatever they lead to when they are divided by, or looked for."""
    path = tmp_path / "odd.gguf"
    path.write_bytes(head(VALUES | values, TENSORS | tensors))
    with pytest.raises(InputError, match="GGUF"):
        read_gguf(path)
