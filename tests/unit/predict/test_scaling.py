"""Several devices: more are never slower unless their links are the limit, and then the prediction says so."""

import math

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.catalog import find_device
from advisor.predict import Target, predict_many, wire
from advisor.predict.coefficients import link_coefficients
from advisor.predict.scaling import communication_s, exchange_s, link_bytes_per_s
from advisor.records.hardware.device import Device
from advisor.records.job.prediction import Prediction
from advisor.records.job.work import Network
from advisor.records.job.workload import Workload
from tests.unit.predict.examples import CARD, IMAGES, SERVER_CARD, changed, devices, networks, workload, workloads

LINKS = link_coefficients()
SLACK = 1 + 1e-9
counts = st.sampled_from([1, 2, 4, 8, 16, 32, 128, 1024])
payloads = st.floats(1e3, 1e12)


def on(count: int, network: Network, job: Workload, device: Device, per_device: int) -> Prediction:
    """Return the prediction for so many devices with the same share of samples each."""
    whole = msgspec.structs.replace(job, batch_size=per_device * count)
    [found] = predict_many(network, whole, [Target(device, count)])
    assert found is not None
    return found


@given(data=st.data(), network=networks, device=devices(), count=counts, per_device=st.integers(1, 64))
def test_twice_as_many_devices_do_no_less_unless_their_links_are_the_limit(
    data: st.DataObject, network: Network, device: Device, count: int, per_device: int
) -> None:
    """With the same samples on each; and then the limit is called communication."""
    roomy = changed(device, memory_bytes=10**15)
    job = data.draw(workloads(network))
    few, many = (on(n, network, job, roomy, per_device) for n in (count, 2 * count))
    assert many.samples_per_s * SLACK >= few.samples_per_s or many.limit == "communication"
    assert 0 < many.scaling_efficiency_ratio <= 1


@given(data=st.data(), network=networks, device=devices(), count=counts)
def test_a_shared_batch_is_computed_no_slower_by_more_devices(
    data: st.DataObject, network: Network, device: Device, count: int
) -> None:
    """What each computes of the same batch shrinks or stays; only communication may eat it up."""
    roomy = changed(device, memory_bytes=10**15)
    job = data.draw(workloads(network))
    few, many = predict_many(network, job, [Target(roomy, count), Target(roomy, 2 * count)])
    assert few is not None
    assert many is not None
    assert alone_s(many) <= alone_s(few) * SLACK


def alone_s(prediction: Prediction) -> float:
    """Return the time of a step without communication."""
    return sum(part.time_s for part in prediction.parts if part.name not in ("communication", "input"))


def test_more_devices_than_samples_leave_some_idle() -> None:
    """A batch of 8 is no faster on 64 devices than on 8, and nobody counts samples that are not there."""
    job = workload(batch_size=8)
    [found] = predict_many(IMAGES, job, [Target(SERVER_CARD, 64)])
    assert found is not None
    assert found.samples_per_s == pytest.approx(8 / found.time_per_step_s)


@given(payload=payloads, count=counts.filter(lambda n: n > 1))
def test_a_faster_network_is_never_slower(payload: float, count: int) -> None:
    """InfiniBand, Ethernet with and without a card that does the work, at the same rate."""
    times = [
        exchange_s(payload, SERVER_CARD, count, LINKS, wire(SERVER_CARD, count, network=kind, network_bytes_per_s=5e10))
        for kind in ("infiniband", "rdma_ethernet", "ethernet")
    ]
    assert times == sorted(times)


def test_devices_in_several_nodes_exchange_over_the_network_not_nvlink() -> None:
    """Sixteen in two nodes take the network's time on top of eight in one."""
    payload = 1e10
    wiring = wire(SERVER_CARD, 16, nodes=2, network="ethernet", network_bytes_per_s=1.25e10)
    network_s = payload / (1.25e10 * LINKS.network_ratio["ethernet"]) + 2 * LINKS.latency_s
    together = exchange_s(payload, SERVER_CARD, 16, LINKS, wiring)
    assert together == pytest.approx(exchange_s(payload, SERVER_CARD, 8, LINKS) + network_s)


def test_many_devices_in_one_computer_need_no_network() -> None:
    """Sixteen cards of one machine exchange over its own links."""
    alone = exchange_s(1e9, CARD, 16, LINKS, wire(CARD, 16, nodes=1))
    assert alone == pytest.approx(exchange_s(1e9, CARD, 16, LINKS, wire(CARD, 16, nodes=1, network="infiniband")))
    assert wire(CARD, 16).nodes == 2


def test_a_pair_of_cards_has_its_link_to_itself() -> None:
    """What two reach is what was fitted; four share it, by the exponent that was fitted too."""
    home = find_device("GeForce RTX 4090")
    assert link_bytes_per_s(home, 1, LINKS) == link_bytes_per_s(home, 2, LINKS) == LINKS.consumer_bytes_per_s
    assert link_bytes_per_s(home, 4, LINKS) == pytest.approx(LINKS.consumer_bytes_per_s / 2**LINKS.consumer_fall)
    work = find_device("RTX A6000")
    assert link_bytes_per_s(work, 2, LINKS) == LINKS.workstation_bytes_per_s
    assert link_bytes_per_s(work, 8, LINKS) == pytest.approx(LINKS.workstation_bytes_per_s / 4**LINKS.workstation_fall)


@pytest.mark.parametrize(
    ("name", "rate"),
    [
        ("A100 SXM4 80GB", 2.0e11 * 0.91),
        ("H100 SXM5 80GB", 4.0e11 * 0.91),
        ("GeForce RTX 4090", 1.25e10 * 0.40),
        ("L4", 1.25e10 * 0.40),
    ],
)
def test_the_usual_network_is_that_of_the_makers_servers(name: str, rate: float) -> None:
    """Cards without a server link of their own get plain Ethernet."""
    assert wire(find_device(name), 16).node_bytes_per_s == pytest.approx(rate)


def test_tpus_of_a_pod_share_their_own_links() -> None:
    """However many computers they are in."""
    chip = find_device("TPU v5e")
    assert wire(chip, 256, nodes=32).nodes == 1
    assert wire(chip, 1024, nodes=128).nodes == 4


@given(payload=payloads, count=counts, device_s=st.floats(1e-5, 1e3), sharded=st.booleans())
def test_communication_only_adds(payload: float, count: int, device_s: float, sharded: bool) -> None:
    """Nothing for one device; never less than nothing; sharding moves more."""
    whole = communication_s(device_s, payload, SERVER_CARD, count, LINKS, sharded=False)
    assert (whole == 0) == (count == 1)
    assert communication_s(device_s, payload, SERVER_CARD, count, LINKS, sharded=True) >= whole
    assert math.isfinite(whole)
