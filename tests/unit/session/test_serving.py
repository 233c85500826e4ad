"""Which language models run on a computer."""

from collections.abc import Callable
from functools import partial

import msgspec
import pytest

from advisor.errors import UnknownNameError
from advisor.probe.condition_watch import ConditionWatch
from advisor.records.hardware.machine import Accelerator
from advisor.records.job.serving import ServingJob
from advisor.records.results.measured.measurement import Benchmark, Case, Condition, Measurement, load_ratio
from advisor.session import measure_decode
from advisor.session.serving import serve_here, serve_one
from advisor.units import GIB
from tests.unit.options.test_own_devices import MACHINE

CARD = Accelerator(
    vendor="nvidia", index=0, name="NVIDIA GeForce RTX 4060 Ti", kind="discrete", trains=True, memory_bytes=8 * GIB
)
TWO_CARDS = (CARD, msgspec.structs.replace(CARD, index=1))


def test_one_model_on_a_card_of_the_catalogue() -> None:
    """As it was asked."""
    found = serve_one("llama3_8b", "RTX 4090", ServingJob(weights="q8_0"), device_count=2)
    assert (found.model, found.weights, found.device_count) == ("llama3_8b", "q8_0", 2)
    with pytest.raises(UnknownNameError):
        serve_one("llama3_8b", "RTX 4090", ServingJob(weights="q9"))


def test_models_here_run_where_they_are_fastest() -> None:
    """Small ones on the card, larger ones partly, the largest nowhere."""
    machine = msgspec.structs.replace(MACHINE, accelerators=(CARD,))
    found = {one.model: one for one in serve_here(machine, ServingJob())}
    assert "RTX 4060" in found["llama3_8b"].device
    assert found["llama3_8b"].memory.host_ratio == 0
    assert found["deepseek_v3"].memory.fits is False
    sizes = [one.parameters for one in found.values()]
    assert sizes == sorted(sizes)


def test_without_a_card_the_processor_runs_them() -> None:
    """Slower, and no larger than its memory."""
    alone = {one.model: one for one in serve_here(MACHINE, ServingJob())}
    carded = {
        one.model: one for one in serve_here(msgspec.structs.replace(MACHINE, accelerators=(CARD,)), ServingJob())
    }
    assert alone["qwen2.5_0.5b"].decode_tokens_per_s < carded["qwen2.5_0.5b"].decode_tokens_per_s
    assert alone["deepseek_v3"].memory.fits is False


def test_what_others_take_while_the_processor_is_measured_is_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    """The window and the report warn of it, but nothing ever looked: a plain ``yes`` halved the speed unsaid."""
    busy = Condition(kind="other_load", value=0.6, unit="ratio", when="during")
    case = Case(id="decode/fp32/cpu", program="decode", device="cpu")

    def run(_plan: object, *, check_conditions: Callable[..., tuple[Condition, ...]], **_more: object) -> Benchmark:
        conditions = check_conditions("before", 1) + check_conditions("during", 1)
        one = Measurement(case=case, samples_s=(0.1,), median_s=0.1, iqr_s=0.0, conditions=conditions)
        return Benchmark(suite="quick", started_at="2026-11-28T12:00:00Z", wall_s=1.0, measurements=(one,))

    monkeypatch.setattr(measure_decode, "run_suite", run)
    monkeypatch.setattr(measure_decode, "ConditionWatch", partial(ConditionWatch, check=lambda *_a, **_k: (busy,)))
    assert load_ratio(measure_decode.measure_decode(MACHINE)) == 0.6


def test_two_cards_are_asked_together() -> None:
    """They hold 16 GB: Phi-4 in 4 bit fits them, and not one."""
    found = {
        one.model: one for one in serve_here(msgspec.structs.replace(MACHINE, accelerators=TWO_CARDS), ServingJob())
    }
    assert found["phi4"].device_count == 2
    assert found["phi4"].memory.host_ratio == 0


def test_what_others_measured_of_the_same_stands_beside_it() -> None:
    """Of each kind one, with the nearest number of tokens; nothing of another card, format or number of cards."""
    found = serve_one("llama3_8b", "RTX 4090", ServingJob(new_tokens=500, prompt_tokens=5000))
    assert [(row.kind, row.tokens, row.tokens_per_s) for row in found.published] == [
        ("decode", 512, 130.58),
        ("prefill", 4096, 5265.68),
    ]
    assert serve_one("llama3_8b", "RTX 4090", ServingJob(weights="q5_k_m")).published == ()
    assert serve_one("llama3_8b", "RTX 3060", ServingJob()).published == ()
