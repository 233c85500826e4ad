"""Writing tokens with a small decoder."""

import pytest
import torch

from advisor.records.results.measured.measurement import DECODE_PROGRAM
from advisor.worker.cases import decode
from advisor.worker.cases.decode import Decoder, split_time
from tests.unit.worker.cases.runs import run

pytestmark = pytest.mark.torch

SHAPE = {"layers": 2, "width": 16, "heads": 2, "inner": 24, "vocabulary": 11}


def test_a_token_reads_all_weights_but_the_table_of_tokens() -> None:
    """Four products of attention, three of the feed-forward part, norms, and the output layer; four bytes each."""
    layer = 4 * 16 * 16 + 3 * 16 * 24 + 2 * 16
    assert Decoder(**SHAPE).read_bytes == 4 * (2 * layer + 16 + 11 * 16)


def test_writing_sees_what_was_written_before() -> None:
    """The same token after other ones gives another state, until the cache is begun anew."""
    torch.manual_seed(1)
    decoder = Decoder(**SHAPE).eval()
    states = []
    decoder.head.register_forward_hook(lambda _module, inputs, _output: states.append(inputs[0]))
    with torch.inference_mode():
        for token in (3, 5):
            decoder.begin()
            decoder(torch.tensor([[token]]))
            assert decoder(torch.tensor([[7]])).shape == (1, 1)
        decoder.begin()
        decoder(torch.tensor([[3]]))
    assert not torch.allclose(states[1], states[3])
    assert torch.equal(states[0], states[4])


def test_times_split_into_reading_and_layers() -> None:
    """As they were put together; where noise leaves nothing for layers, all is reading."""
    shapes = {"wide": SHAPE | {"width": 64}, "narrow": SHAPE | {"width": 32}, "deep": SHAPE | {"layers": 5}}
    decoders = {name: Decoder(**shape) for name, shape in shapes.items()}
    rates = {"wide": 2e9, "narrow": 1e9, "deep": 1e9}
    timed = {name: (one, one.read_bytes / rates[name] + len(one.layers) * 1e-6) for name, one in decoders.items()}
    found = split_time(timed)
    assert found["read_bytes_per_s"] == pytest.approx(2e9)
    assert found["narrow_read_bytes_per_s"] == pytest.approx(1e9)
    assert found["layer_s"] == pytest.approx(1e-6)
    noisy = split_time(timed | {"deep": (decoders["deep"], 1e-9)})
    assert noisy["layer_s"] == 0.0
    assert noisy["read_bytes_per_s"] == pytest.approx(decoders["wide"].read_bytes / timed["wide"][1])


def test_the_case_says_how_fast_weights_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """And writes on beyond the end of its cache."""
    monkeypatch.setattr(decode, "SHAPES", dict.fromkeys(decode.SHAPES, SHAPE) | {"deep": SHAPE | {"layers": 5}})
    monkeypatch.setattr(decode, "_LONGEST", decode._SHORTEST + 3)
    found = run(DECODE_PROGRAM)
    assert found.details["read_bytes_per_s"] > 0
    assert found.details["bf16_speedup"] > 0
    assert found.details["fp16_speedup"] > 0
    assert len(found.samples_s) >= 2


def test_a_format_that_pytorch_has_no_product_of_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """As of fp16 on a processor before 2.1; what else goes wrong is said."""
    monkeypatch.setattr(decode, "SHAPES", dict.fromkeys(decode.SHAPES, SHAPE) | {"deep": SHAPE | {"layers": 5}})
    linear, said = torch.nn.functional.linear, "\"addmm_impl_cpu_\" not implemented for 'Half'"

    def without_half(given: torch.Tensor, *rest: torch.Tensor) -> torch.Tensor:
        if given.dtype == torch.float16:
            raise RuntimeError(said)
        return linear(given, *rest)

    monkeypatch.setattr(torch.nn.functional, "linear", without_half)
    assert set(run(DECODE_PROGRAM).details) & {"bf16_speedup", "fp16_speedup"} == {"bf16_speedup"}
    said = "the processor is on fire"
    with pytest.raises(RuntimeError, match="on fire"):
        run(DECODE_PROGRAM)
