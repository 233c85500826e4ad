"""Products of matrices: tiles, what is read again, the width of multiprocessors; photos copied; other constants."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.catalog import find_device
from advisor.catalog.networks.tables import network
from advisor.predict.coefficients import predicting_with, time_coefficients
from advisor.predict.timing.network_factors import network_key
from advisor.predict.timing.step_time import plain_step_s
from advisor.predict.timing.step_work import product_network
from advisor.records.job.workload import Workload
from tests.unit.predict.examples import CARD, TEXT, changed

JOB = Workload(id="product", title="", network="product", samples=1, task="infer", batch_size=1, optimizer="none")
PASCAL = changed(CARD, architecture="Pascal", peak_flop_per_s={"fp32": 1e13})


def test_a_product_beyond_the_cache_waits_for_memory() -> None:
    """With less bandwidth a large product on an old card takes longer, though its arithmetic is the same."""
    slow = changed(PASCAL, bandwidth_bytes_per_s=PASCAL.bandwidth_bytes_per_s / 4)  # type: ignore[operator]
    net = product_network(8192, 8192, 8192)
    assert plain_step_s(net, JOB, slow) > 1.1 * plain_step_s(net, JOB, PASCAL)


@given(st.floats(1e12, 1e14), st.floats(1.0, 3.0))
def test_more_lanes_are_never_slower(peak: float, more: float) -> None:
    """Though they are used less well."""
    card = changed(CARD, peak_flop_per_s={"fp32": peak}, boost_hz=1.5e9)
    faster = changed(CARD, peak_flop_per_s={"fp32": peak * more}, boost_hz=1.5e9)
    net = product_network(4096, 4096, 4096)
    assert plain_step_s(net, JOB, faster) <= plain_step_s(net, JOB, card) * (1 + 1e-9)


def test_a_network_taken_apart_has_a_key_of_its_own() -> None:
    """What was measured of one form says nothing of the other."""
    assert network_key(TEXT) == TEXT.name
    assert network_key(network("bert_base", attention="decomposed")) == "bert_base+decomposed"
    assert network_key(network("resnet50", attention="decomposed")) == "resnet50"


def test_a_device_has_its_own_factor_in_each_width() -> None:
    """What whole jobs took on the very device counts for formats of that width alone."""
    slower = msgspec.structs.replace(time_coefficients(), devices={CARD.name: (1.0, 2.0)})
    plain = msgspec.structs.replace(slower, devices={})
    for precision, least in (("fp16", 1.5), ("fp32", 1.0)):
        job = msgspec.structs.replace(JOB, precision=precision)
        seconds = []
        for constants in (plain, slower):
            with predicting_with(constants):
                seconds.append(plain_step_s(product_network(8192, 8192, 8192), job, CARD))
        assert (seconds[1] > seconds[0]) == (least > 1.0)
        assert seconds[1] >= least * seconds[0]


@pytest.mark.parametrize(("name", "images_per_s"), [("resnet152", 620.93), ("densenet201", 426.81)])
def test_small_batches_are_not_told_to_train_at_far_less_than_their_pace(name: str, images_per_s: float) -> None:
    """Twelve images a step on an RTX 5090, where the processor's launches count (MatrixSP, 2025-07-08, PyTorch 2.7)."""
    job = msgspec.structs.replace(JOB, task="train", precision="fp16", batch_size=12, framework_year=2025)
    assert plain_step_s(network(name), job, find_device("RTX 5090")) < 2.1 * 12 / images_per_s
