"""Training a language model by its numbers is the work that the library's own model does, as traced."""

import pytest

from advisor.catalog import find_device
from advisor.catalog.language import find_model
from advisor.catalog.language.training import language_network
from advisor.catalog.networks.tables import network
from advisor.predict import predict
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
