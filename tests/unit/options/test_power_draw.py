"""What devices drew while they trained, as the sensors said, before what is rated."""

import msgspec
import pytest

from advisor.catalog import economics
from advisor.options.candidates import here
from advisor.options.own_devices import computer_kind
from advisor.options.power_draw import measured_power_w, socket_power_w
from advisor.records.hardware.machine import Accelerator
from advisor.records.hardware.telemetry import MetricSummary, MonitoredAccelerator, TelemetrySummary
from advisor.records.results.measured.measurement import Measurement
from tests.unit.benchmark.diagnosed import benchmark, machine, measured
from tests.unit.options.test_candidates import CARD
from tests.unit.options.test_pricing import candidate


def drawing(program: str, device: str, power_w: float | None, field: str) -> Measurement:
    """Return a measurement during which a sensor said this power."""
    metric = None if power_w is None else MetricSummary(mean=power_w, peak=2 * power_w, count=3)
    telemetry = TelemetrySummary(
        start_s=0.0,
        end_s=3.0,
        count=3,
        metrics={field: metric},
        accelerators=(
            MonitoredAccelerator(vendor="intel", index=0, name="UHD"),
            MonitoredAccelerator(vendor="nvidia", index=0, name="Card"),
        ),
    )
    return msgspec.structs.replace(measured(program, device, 1.0), telemetry=telemetry)


def test_the_highest_training_counts() -> None:
    """Of each device its own; kernels and what no sensor told do not count."""
    seen = benchmark(
        drawing("train", "cuda:0", 120.0, "accelerators.1.power_w"),
        drawing("sustained", "cuda:0", 150.0, "accelerators.1.power_w"),
        drawing("matmul", "cuda:0", 300.0, "accelerators.1.power_w"),
        drawing("train", "cpu", 28.0, "host.cpu_power_w"),
        drawing("train", "cuda:1", 99.0, "accelerators.1.power_w"),
        drawing("train", "xpu:0", None, "accelerators.0.power_w"),
        measured("train", "mps", 1.0),
    )
    assert measured_power_w(seen) == {"cuda:0": 150.0, "cpu": 28.0}
    assert measured_power_w(None) == {}


def test_what_was_measured_counts_before_what_is_rated() -> None:
    """On this computer only; also where nothing is rated."""
    table = economics()
    rated = msgspec.structs.replace(CARD, device_class="gpu", power_w=300.0)
    known = {"cuda:0": 150.0}
    extra = table.around["desktop"].beside_card_w
    own, other = candidate(rated, torch_device="cuda:0"), candidate(rated)
    assert socket_power_w(own, table, known) == pytest.approx((150 + extra) * table.charge_ratio.value)
    assert socket_power_w(other, table, known) == pytest.approx((300 + extra) * table.charge_ratio.value)
    unrated = msgspec.structs.replace(rated, power_w=None)
    assert socket_power_w(candidate(unrated, torch_device="cuda:0"), table, known) is not None


@pytest.mark.parametrize(
    ("changes", "kind", "processor_w", "card_w"),
    [
        ({"form_factor": "laptop"}, "laptop", 17, 37),
        ({"form_factor": "desktop"}, "desktop", 30, 90),
        ({"form_factor": "server"}, "server", 54, 135),
        ({"form_factor": "unknown"}, "desktop", 30, 90),
        ({"form_factor": "unknown", "architecture": "aarch64"}, "small", 4, 4),
        ({"form_factor": "unknown", "architecture": "aarch64", "isolation": "virtual_machine"}, "desktop", 30, 90),
        ({"form_factor": "desktop", "architecture": "arm64", "os_name": "macOS"}, "small", 4, 4),
        ({"form_factor": "laptop", "architecture": "arm64", "os_name": "macOS"}, "laptop", 17, 37),
    ],
)
def test_a_laptop_a_server_and_a_board_draw_what_their_kind_draws(
    changes: dict[str, str], kind: str, processor_w: float, card_w: float
) -> None:
    """Measured at the socket by people who name their computer; what is bought is a desktop computer."""
    card = Accelerator(vendor="nvidia", index=0, name="GeForce RTX 3060 12GB", kind="discrete", trains=True)
    of_host = {name: value for name, value in changes.items() if name != "architecture"}
    found = machine(card, cpu={"architecture": changes.get("architecture", "x86_64")}, **of_host)
    assert computer_kind(found) == kind
    table = economics()
    ways = {one.id: one for one in here(found)}
    for name, around_w in (("here/cpu", processor_w), ("here/cuda:0", card_w)):
        device = msgspec.structs.replace(ways[name].device, power_w=100.0)
        drawn_w = socket_power_w(msgspec.structs.replace(ways[name], device=device), table)
        assert drawn_w == pytest.approx((100 + around_w) * 1.11)
