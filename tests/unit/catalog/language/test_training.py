"""Training a language model by its numbers is the work that the library's own model does, as traced and as it ran.

``steps.json`` holds real steps of AdamW on a processor, in 32 bit, of transformers 5.23.0's own classes with random
weights and torch 2.13: four samples of 256 tokens, FLOP as torch's own counter has them (grouped products and attention
on a processor by their shapes), the tensors at the fullest moment as a dispatch mode saw them.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from advisor.catalog import find_device
from advisor.catalog.language import find_model
from advisor.catalog.language.config import language_kinds, model_of_config
from advisor.catalog.language.training import language_network
from advisor.catalog.networks.tables import network
from advisor.predict import predict
from advisor.predict.memory import footprint
from advisor.predict.serving.size import parameter_count
from advisor.records.job.work import Network
from advisor.records.job.workload import Method, Workload

TRACED = {
    "llama_8b": ("llama3_8b", 512),
    "llama_7b": ("llama2_7b", 1024),
    "llama_70b": ("llama3_70b", 1024),
    "llama_1b": ("llama3.2_1b", 2048),
    "gpt2": ("gpt2", 1024),
}


STEPS: dict[str, dict[str, Any]] = json.loads((Path(__file__).parent / "steps.json").read_text("utf-8"))
SAMPLES, TOKENS = 4, 256
IN_PARTS = ("gpt2", "deepseek_v2", "deepseek_v3")
"""Dropout, or values of another width than keys: no one kernel of a processor, which would compute scores again."""


@pytest.mark.parametrize("name", STEPS)
def test_a_description_is_a_real_step_of_the_librarys_model(name: str) -> None:
    """Parameters equal, FLOP within 1 %, tensors within 7 %."""
    ran = STEPS[name]
    model = model_of_config(ran["config"], name)
    found = language_network(model, TOKENS, parameter_count(model))
    again = (
        2.0 * model.heads * TOKENS**2 * (model.head_size + model.rope_size) * model.layers if name in IN_PARTS else 0
    )
    assert found.parameters == ran["parameters"]
    assert SAMPLES * products(found, "forward") == pytest.approx(ran["forward"], rel=0.01)
    assert SAMPLES * (products(found, "backward") - again) == pytest.approx(ran["backward"], rel=0.01)
    job = Workload(id="x", title="", network="x", samples=100, batch_size=SAMPLES, optimizer="adamw")
    taken = footprint(found, job, is_cpu=True)
    assert taken.total(SAMPLES) - taken.context_bytes == pytest.approx(ran["peak"], rel=0.07)


def test_every_kind_of_language_model_ran() -> None:
    """None is read whose work was not compared with its library's; Gemma 3 that sees is Gemma 3 that writes."""
    assert {ran["config"]["model_type"] for ran in STEPS.values()} == set(language_kinds()) - {"gemma3"}


def counted(name: str, steps: int) -> Network:
    """Return a model's network."""
    model = find_model(name)
    return language_network(model, steps, parameter_count(model))


def products(one: Network, phase: str) -> float:
    """Return the FLOP of a phase's products for a sample."""
    work = (o for o in one.operations if o.kind in ("gemm", "attention") and o.phase == phase)
    return sum(o.count * o.flop_per_sample for o in work)


@pytest.mark.parametrize("name", TRACED)
def test_work_and_memory_are_those_of_the_librarys_model(name: str) -> None:
    """Traced from transformers' own class: products within 1 %, memory within 7 %."""
    own, steps = TRACED[name]
    found, traced = counted(own, steps), network(name, sequence_length=steps)
    assert found.parameters == traced.parameters
    for phase in ("forward", "backward"):
        assert products(found, phase) == pytest.approx(products(traced, phase), rel=0.01)
    assert found.saved_bytes_per_sample == pytest.approx(traced.saved_bytes_per_sample, rel=0.07)
    assert found.peak_bytes_per_sample == pytest.approx(traced.peak_bytes_per_sample, rel=0.07)
    assert found.inference_bytes_per_sample == pytest.approx(traced.inference_bytes_per_sample, rel=0.07)
    for batch in (1, 16):
        assert fullest(found, batch) == pytest.approx(fullest(traced, batch), rel=0.07)
    assert found.largest_parameter == traced.largest_parameter


def fullest(one: Network, batch: int) -> float:
    """Return the bytes of the fullest moment beside parameters and optimizer."""
    return max(slope * batch + fixed for slope, fixed in one.moments)


@pytest.mark.parametrize("method", ["full", "lora", "qlora"])
def test_predictions_are_those_of_the_traced_table(method: Method) -> None:
    """Time and memory of a step of Llama 3 8B within 10 % and 7 %."""
    job = Workload(id="x", title="", network="x", samples=100, batch_size=4, precision="amp", method=method)
    ours, theirs = (
        predict(one, job, find_device("A100 SXM4 80GB"))
        for one in (counted("llama3_8b", 1024), network("llama_8b", sequence_length=1024))
    )
    assert ours.time_per_step_s == pytest.approx(theirs.time_per_step_s, rel=0.1)
    assert ours.memory is not None
    assert theirs.memory is not None
    assert ours.memory.total_bytes == pytest.approx(theirs.memory.total_bytes, rel=0.07)


def test_a_mixture_trains_its_active_experts() -> None:
    """Three products forward for each of 2 of 8 experts; all of them have parameters."""
    found = counted("mixtral_8x7b", 512)
    assert found.parameters == find_model("mixtral_8x7b").parameters
    model = find_model("mixtral_8x7b")
    experts = 2.0 * 512 * 32 * 2 * 3 * model.width * model.feed_forward
    assert experts < products(found, "forward") < 1.3 * experts


def test_latent_attention_has_the_products_of_its_ranks() -> None:
    """Twice the active parameters for each token, and the scores."""
    steps = 128
    found, model = counted("deepseek_v3", steps), find_model("deepseek_v3")
    assert products(found, "forward") == pytest.approx(2 * steps * 37e9, rel=0.05)
    assert found.parameters == model.parameters
