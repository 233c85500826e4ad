"""The head of a GGUF file: what model it holds, and in how many bits.

Format: github.com/ggml-org/ggml, docs/gguf.md, version 3. Little-endian; strings have a length of 64 bit before them.
"""

import struct
from io import BufferedReader
from pathlib import Path
from typing import Any

import msgspec

from advisor.errors import InputError, system_reason
from advisor.records.job.serving import LanguageModel
from advisor.resource import as_text

_MAGIC, _STRING, _ARRAY = b"GGUF", 8, 9
_NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_MOST_VALUES, _MOST_LENGTH = 10_000, 2**26


def read_gguf(path: Path) -> LanguageModel:
    """Return the model in a GGUF file.

    Raises:
        InputError: It is none, damaged, or lacks a number.
    """
    try:
        with path.open("rb") as file:
            values, shapes = _head(file)
        return msgspec.convert(_fields(values, shapes, as_text(path.stem)), LanguageModel)
    except (OSError, ValueError, LookupError, TypeError, struct.error, ArithmeticError) as error:
        raise InputError(
            "{name} is not a GGUF file of a language model, or is damaged: {detail}",
            name=path.name,
            detail=system_reason(error) if isinstance(error, OSError) else str(error)[:120] or type(error).__name__,
        ) from error


def _head(file: BufferedReader) -> tuple[dict[str, Any], dict[str, tuple[int, ...]]]:
    """Return the values of a file and the shapes of its tensors, the last dimension first."""
    if file.read(4) != _MAGIC:
        raise ValueError("it does not begin with GGUF")
    _version, tensors, count = _unpack(file, "IQQ")
    if count > _MOST_VALUES or tensors > _MOST_LENGTH:
        raise ValueError("it claims more values than any model has")
    values = {_text(file): _value(file, _unpack(file, "I")[0]) for _ in range(count)}
    shapes = {}
    for _ in range(tensors):
        name, dimensions = _text(file), _unpack(file, "I")[0]
        shapes[name] = _unpack(file, f"{min(dimensions, 8)}Q")
        _unpack(file, "IQ")
    return values, shapes


def _unpack(file: BufferedReader, form: str) -> tuple[Any, ...]:
    form = f"<{form}"
    return struct.unpack(form, file.read(struct.calcsize(form)))


def _text(file: BufferedReader) -> str:
    (length,) = _unpack(file, "Q")
    if length > _MOST_LENGTH:
        raise ValueError("a text in it is too long")
    return file.read(length).decode("utf-8", "replace")


def _value(file: BufferedReader, kind: int) -> Any:
    if kind == _STRING:
        return _text(file)
    if kind != _ARRAY:
        return _unpack(file, _NUMBERS[kind])[0]
    of, length = _unpack(file, "IQ")
    if length > _MOST_LENGTH:
        raise ValueError("a list in it is too long")
    if of == _STRING:
        for _ in range(length):  # words of a vocabulary: only how many matters
            _text(file)
        return length
    return _unpack(file, f"{length}{_NUMBERS[of]}")


def _fields(values: dict[str, Any], shapes: dict[str, tuple[int, ...]], name: str) -> dict[str, Any]:
    kind = values["general.architecture"]

    def of(key: str, default: Any = None) -> Any:
        found = values.get(f"{kind}.{key}", default)
        if found is None:
            raise KeyError(key)
        return max(found) if isinstance(found, tuple) else found

    width, heads = of("embedding_length"), of("attention.head_count")
    names = set(shapes)
    has_gate = any(".ffn_gate" in one for one in names)
    return {
        "name": name,
        "title": str(values.get("general.name", name)),
        "source": "GGUF",
        "layers": of("block_count"),
        "width": width,
        "heads": heads,
        "key_value_heads": of("attention.head_count_kv", heads),
        "head_size": of("attention.key_length", width // heads),
        "feed_forward": of("feed_forward_length", 4 * width),
        "vocabulary": shapes["token_embd.weight"][-1],
        "tied": "output.weight" not in names,
        "gated": has_gate or not names,
        "attention_bias": "inputs" if "blk.0.attn_q.bias" in names else "none",
        "query_norm": "blk.0.attn_q_norm.weight" in names,
        "norms": 4 if "blk.0.post_attention_norm.weight" in names else 2,
        "norm_bias": "blk.0.attn_norm.bias" in names,
        "experts": of("expert_count", 0),
        "active_experts": of("expert_used_count", 0),
        "expert_feed_forward": of("expert_feed_forward_length", 0),
        "context": of("context_length", 2048),
    }
