"""The work of one step at a given batch, precision and method, as arrays over the operations of a network."""

import msgspec
import pytest

from advisor.catalog import network
from advisor.predict.timing.kernels import OTHER
from advisor.predict.timing.step_time import plain_step_s
from advisor.predict.timing.step_work import LaunchWeights, kernel_work, launches, product_network
from advisor.records.job.workload import Workload
from tests.unit.predict.examples import CARD, changed, workload

JOB = Workload(id="product", title="", network="product", samples=1, task="infer", batch_size=1, optimizer="none")
PASCAL = changed(CARD, architecture="Pascal", peak_flop_per_s={"fp32": 1e13})


def test_a_product_is_one_operation() -> None:
    """Two operations for each multiplication and addition, three matrices of 4 bytes."""
    [operation] = product_network(2, 3, 5, batch=7).operations
    assert (operation.operator, operation.shape) == ("bmm", (7, 2, 3, 5))
    assert operation.flop_fixed == 2 * 7 * 2 * 3 * 5
    assert operation.bytes_fixed == 4 * 7 * (2 * 5 + 5 * 3 + 2 * 3)


def test_batched_products_of_old_cards_fill_tiles_of_64_by_128() -> None:
    """Rows beyond 64 begin another tile, columns do so beyond 128: the kernel's name says so."""
    sizes = ((64, 128), (65, 128), (64, 129))
    exact, tall, wide = (plain_step_s(product_network(m, n, 512, batch=4096), JOB, PASCAL) for m, n in sizes)
    assert tall > 1.3 * exact
    assert wide > 1.3 * exact


def test_launches_cost_by_what_is_launched() -> None:
    """Products and normalizations weigh their own in both passes, what is simple only in the backward one."""
    work = kernel_work(network("resnet50"), workload(), 4)
    alike = sum(found.sum() for found in launches(work, LaunchWeights(1.0, 1.0, 1.0)))
    assert alike == pytest.approx(work.kernels.sum())
    _, without = launches(work, LaunchWeights(0.0, 0.0, 1.0))
    _, products = launches(work, LaunchWeights(3.0, 0.0, 1.0))
    convolutions = work.kernels[work.is_backward & (work.group != OTHER)].sum()
    assert products.sum() - without.sum() == pytest.approx(3.0 * convolutions)
    simple, _ = launches(work, LaunchWeights(1.0, 1.0, 0.0))
    assert simple.sum() == pytest.approx(work.kernels[~work.is_backward].sum())


def test_groups_of_odd_width_have_kernels_of_their_own_since_2024() -> None:
    """Channels last cost groups of 112 twice the time in 2022, none today."""
    net = msgspec.structs.replace(network("regnetx_120"), name="n")  # whose own factor is another matter
    jobs = (
        workload(net, task="infer", precision="amp", channels_last=last, framework_year=year, batch_size=256)
        for year in (2022, None)
        for last in (True, False)
    )
    old, old_first, new, new_first = (plain_step_s(net, job, CARD) for job in jobs)
    assert old > 1.4 * old_first
    assert new < 1.05 * new_first


def test_adapters_take_time_of_their_own() -> None:
    """LoRA spares gradients of weights, but what its adapters move comes on top; unpacking four bits as well."""
    net = network("llama_7b", sequence_length=512)
    jobs = (workload(net, method=method, precision="bf16", batch_size=1) for method in ("full", "lora", "qlora"))
    full, lora, qlora = (plain_step_s(net, job, CARD) for job in jobs)
    assert lora < full
    assert lora < qlora
