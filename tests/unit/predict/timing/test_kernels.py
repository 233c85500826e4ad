"""Products of matrices: tiles, what is read again, the width of multiprocessors; photos copied; other constants."""

import math

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.predict import predict
from advisor.predict.coefficients import predicting_with, time_coefficients
from advisor.predict.timing.device_rates import width_ratio
from advisor.predict.timing.step_time import plain_step_s
from advisor.predict.timing.step_work import product_network
from advisor.records.job.workload import Workload
from tests.unit.predict.examples import CARD, IMAGES, PROCESSOR, changed, workload

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
    assert tall > 1.4 * exact
    assert wide > 1.4 * exact


def test_a_product_beyond_the_cache_waits_for_memory() -> None:
    """With less bandwidth a large product on an old card takes longer, though its arithmetic is the same."""
    slow = changed(PASCAL, bandwidth_bytes_per_s=PASCAL.bandwidth_bytes_per_s / 4)  # type: ignore[operator]
    net = product_network(8192, 8192, 8192)
    assert plain_step_s(net, JOB, slow) > 1.1 * plain_step_s(net, JOB, PASCAL)


@pytest.mark.parametrize(("lanes", "ratio"), [(32, 0.0), (64, 0.0), (96, 0.5), (128, 1.0), (192, 1.0)])
def test_width_of_multiprocessors(lanes: float, ratio: float) -> None:
    """By peak, multiprocessors and clock."""
    card = changed(CARD, peak_flop_per_s={"fp32": lanes * 2 * 46 * 1.5e9}, boost_hz=1.5e9)
    assert math.isclose(width_ratio(card), ratio)
    assert width_ratio(changed(card, vendor="amd")) == 0.0


@given(st.floats(1e12, 1e14), st.floats(1.0, 3.0))
def test_more_lanes_are_never_slower(peak: float, more: float) -> None:
    """Though they are used less well."""
    card = changed(CARD, peak_flop_per_s={"fp32": peak}, boost_hz=1.5e9)
    faster = changed(CARD, peak_flop_per_s={"fp32": peak * more}, boost_hz=1.5e9)
    net = product_network(4096, 4096, 4096)
    assert plain_step_s(net, JOB, faster) <= plain_step_s(net, JOB, card) * (1 + 1e-9)


def test_photos_are_copied_to_a_card_in_training_only() -> None:
    """4 bytes for each of three colours of each pixel; a processor has them, and inference is timed without."""
    small = msgspec.structs.replace(IMAGES, image_size=None)
    wait_s = 8 * 3 * 4 * 224**2 / time_coefficients().copy_bytes_per_s
    job = workload(batch_size=8)
    added = predict(IMAGES, job, CARD).time_per_step_s - predict(small, job, CARD).time_per_step_s
    assert math.isclose(added, wait_s, rel_tol=1e-6)
    for other, device in ((job, PROCESSOR), (msgspec.structs.replace(job, task="infer"), CARD)):
        assert predict(IMAGES, other, device).time_per_step_s == predict(small, other, device).time_per_step_s


def test_other_constants_for_a_moment() -> None:
    """Inside the block they count, after it those shipped do."""
    shipped = time_coefficients()
    with predicting_with(msgspec.structs.replace(shipped, copy_bytes_per_s=1.0)):
        assert time_coefficients().copy_bytes_per_s == 1.0
    assert time_coefficients() is shipped
