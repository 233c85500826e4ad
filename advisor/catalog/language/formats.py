"""Formats in which weights are stored, with what they take."""

from functools import cache

from advisor.errors import UnknownNameError
from advisor.records.job.serving import WeightFormat

_GGUF = "github.com/ggml-org/llama.cpp, tools/quantize/README.md: Llama 3.1 8B (read 2026-11-23)"
_BLOCKS = "github.com/ggml-org/llama.cpp, ggml/src/ggml-common.h: {text} (read 2026-11-23)"
_GGUF_BITS = {
    "q2_k": 3.1593,
    "q3_k_l": 4.2979,
    "iq4_xs": 4.4597,
    "q4_k_s": 4.6672,
    "q4_k_m": 4.8944,
    "q5_k_s": 5.5704,
    "q5_k_m": 5.7036,
    "q6_k": 6.5633,
    "q8_0": 8.5008,
}
_BLOCK_BITS = {
    "q4_0": (4.5, "blocks of 32 weights of 4 bit with a scale of 16"),
    "q4_1": (5.0, "blocks of 32 weights of 4 bit with a scale and a minimum of 16"),
    "q5_0": (5.5, "blocks of 32 weights of 5 bit with a scale of 16"),
    "mxfp4": (4.25, "blocks of 32 weights of 4 bit with a scale of 8"),
}
_ELSEWHERE = (
    WeightFormat(name="fp32", bits=32.0, bits_outside=32.0, software="torch", source="IEEE 754"),
    WeightFormat(name="fp16", bits=16.0, bits_outside=16.0, software="torch", source="IEEE 754"),
    WeightFormat(name="bf16", bits=16.0, bits_outside=16.0, software="torch", source="Intel, BFLOAT16, 2018"),
    WeightFormat(
        name="int8",
        bits=8.0,
        bits_outside=16.0,
        software="bitsandbytes",
        source="Dettmers et al. 2022, LLM.int8(): a scale of 16 bit for each row",
    ),
    WeightFormat(
        name="nf4",
        bits=4.127,
        bits_outside=16.0,
        software="bitsandbytes",
        source="Dettmers et al. 2023, QLoRA, section 3: 4 bit and, double-quantized, 0.127 of constants",
    ),
    WeightFormat(
        name="awq",
        bits=4.15625,
        bits_outside=16.0,
        software="vllm",
        source="Lin et al. 2024, AWQ: groups of 128 weights with a scale of 16 and a zero of 4 bit",
    ),
    WeightFormat(
        name="gptq",
        bits=4.15625,
        bits_outside=16.0,
        software="vllm",
        source="Frantar et al. 2023, GPTQ: groups of 128 weights with a scale of 16 and a zero of 4 bit",
    ),
    WeightFormat(
        name="fp8", bits=8.0, bits_outside=16.0, software="vllm", source="Micikevicius et al. 2022, FP8 Formats"
    ),
)


@cache
def weight_formats() -> dict[str, WeightFormat]:
    """Return every format by name, from the shortest."""
    gguf = [
        WeightFormat(name=name, bits=bits, bits_outside=bits, software="llama.cpp", source=_GGUF)
        for name, bits in _GGUF_BITS.items()
    ]
    blocks = [
        WeightFormat(name=name, bits=bits, bits_outside=bits, software="llama.cpp", source=_BLOCKS.format(text=text))
        for name, (bits, text) in _BLOCK_BITS.items()
    ]
    return {one.name: one for one in sorted([*gguf, *blocks, *_ELSEWHERE], key=lambda one: one.bits)}


def find_format(name: str) -> WeightFormat:
    """Return the format of a name.

    Raises:
        UnknownNameError: There is none; names those there are.
    """
    known = weight_formats()
    found = known.get({"f16": "fp16", "f32": "fp32"}.get(name.casefold(), name.casefold().replace("-", "_")))
    if found is None:
        raise UnknownNameError("weights", name, list(known))
    return found
