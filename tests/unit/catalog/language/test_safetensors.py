"""Weights without the description of their model: how many there are is said, and what is missing."""

import json
import os
import struct
from pathlib import Path
from typing import Any

import pytest

from advisor.catalog.language.config import description_file
from advisor.catalog.language.safetensors import tensor_counts
from advisor.errors import InputError

HEAD: dict[str, Any] = {
    "__metadata__": {"format": "pt"},
    "a": {"dtype": "BF16", "shape": [1000, 3000], "data_offsets": [0, 6_000_000]},
    "b": {"dtype": "F32", "shape": [], "data_offsets": [6_000_000, 6_000_004]},
}


def saved(path: Path, head: bytes | None = None) -> Path:
    """Write a file's head and return its path."""
    text = json.dumps(HEAD).encode() if head is None else head
    path.write_bytes(struct.pack("<Q", len(text)) + text)
    return path


def test_the_head_tells_numbers_and_formats(tmp_path: Path) -> None:
    """A scalar is one number; the metadata are none."""
    assert tensor_counts(saved(tmp_path / "m.safetensors")) == {"BF16": 3_000_000, "F32": 1}


@pytest.mark.parametrize("name", [".", "m.safetensors"])
def test_weights_alone_are_counted_and_config_asked_for(tmp_path: Path, name: str) -> None:
    """All shards of a folder count."""
    saved(tmp_path / "m.safetensors")
    if name == ".":
        saved(tmp_path / "n.safetensors")
    count = 6 if name == "." else 3
    with pytest.raises(InputError, match=rf"{count} million numbers \(BF16, F32\), but no config.json"):
        description_file(tmp_path / name)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no such files here")
def test_a_pipe_among_weights_is_not_waited_for(tmp_path: Path) -> None:
    """Nobody writes into it."""
    saved(tmp_path / "m.safetensors")
    os.mkfifo(tmp_path / "n.safetensors")
    with pytest.raises(InputError, match="3 million"):
        description_file(tmp_path)


def test_weights_beside_their_description_lead_to_it(tmp_path: Path) -> None:
    """The file that was named is not the one that is read."""
    (tmp_path / "config.json").write_text("{}", "utf-8")
    assert description_file(saved(tmp_path / "m.safetensors")).name == "config.json"


def test_the_network_of_a_generator_is_the_part_that_is_trained(tmp_path: Path) -> None:
    """Of a folder of diffusers, transformer or U-Net."""
    (tmp_path / "unet").mkdir()
    (tmp_path / "unet" / "config.json").write_text("{}", "utf-8")
    assert description_file(tmp_path).parent.name == "unet"


@pytest.mark.parametrize("head", [b"", b"[]", b"{", b'{"a": {"dtype": "F32"}}', b'{"a": 1}'])
def test_a_damaged_head_is_said(tmp_path: Path, head: bytes) -> None:
    """One sentence, no traceback."""
    with pytest.raises(InputError, match=r"is not a \.safetensors file"):
        tensor_counts(saved(tmp_path / "m.safetensors", head))


@pytest.mark.parametrize("shape", [[10**400], [2] * 10**6, [-3], ["x", 10**12], [1.5], [2**62, 4], "x", {"a": 1}])
def test_a_shape_that_no_tensor_has_is_said(tmp_path: Path, shape: object) -> None:
    """It is neither multiplied for minutes nor told as millions of numbers."""
    head = json.dumps({"a": {"dtype": "F32", "shape": shape}}).encode()
    with pytest.raises(InputError, match=r"is not a \.safetensors file"):
        tensor_counts(saved(tmp_path / "m.safetensors", head))
