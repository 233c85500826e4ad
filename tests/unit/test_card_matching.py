"""Which card torch means, where it counts other than the driver."""

from typing import Any

import msgspec
import pytest

from advisor.card_matching import (
    Seen,
    framework_of,
    seen_devices,
    sensor_prefix,
    spelled_devices,
    throttle_reasons,
    torch_names,
    training_cards,
)
from advisor.records.hardware.machine import Accelerator, Framework
from advisor.records.hardware.telemetry import MetricSummary, MonitoredAccelerator, TelemetrySummary
from tests.unit.benchmark.diagnosed import benchmark, machine


def card(vendor: Any, index: int, name: str, **fields: Any) -> Accelerator:
    """Return a card that trains, unless it is said not to."""
    return Accelerator(
        **({"vendor": vendor, "index": index, "name": name, "kind": "discrete", "trains": True} | fields)
    )


SMALL, LARGE = card("nvidia", 0, "NVIDIA GeForce GT 1030"), card("nvidia", 1, "NVIDIA GeForce RTX 4090")
RADEON = card("amd", 0, "Radeon RX 7900 XTX")
ARC = card("intel", 1, "Arc A770")
GRAPHICS = card("intel", 0, "UHD Graphics 770", kind="integrated", trains=False)
TWINS = (card("nvidia", 0, "NVIDIA RTX A6000"), card("nvidia", 1, "NVIDIA RTX A6000"))


def torch(*seen: str, built_for: str = "cuda") -> Framework:
    """Return a torch that sees these devices."""
    return Framework(version="2", built_for=built_for, visible_devices=seen)


@pytest.mark.parametrize("seen", [
    ("cuda:0 NVIDIA GeForce GT 1030", "cuda:1 NVIDIA GeForce RTX 4090"),
    ("cuda:0", "cuda:1"),
    (),
])  # fmt: skip
def test_a_slow_card_on_the_first_bus(seen: tuple[str, ...]) -> None:
    """Counted by bus, the small card is the first, and so it is where nothing was measured."""
    assert torch_names((SMALL, LARGE), torch(*seen)) == ("cuda:0", "cuda:1")


def test_the_fastest_first() -> None:
    """Where torch counts the fastest first after all, its names say so."""
    seen = ("cuda:0 NVIDIA GeForce RTX 4090", "cuda:1 NVIDIA GeForce GT 1030")
    assert torch_names((SMALL, LARGE), torch(*seen)) == ("cuda:1", "cuda:0")


def test_one_card_shown_of_two() -> None:
    """With CUDA_VISIBLE_DEVICES=1 the first of torch is the second card; the hidden one has no name of torch's."""
    assert torch_names((SMALL, LARGE), torch("cuda:0 NVIDIA GeForce RTX 4090 #1")) == ("cuda:1", "cuda:0")
    assert torch_names(TWINS, torch("cuda:0 NVIDIA RTX A6000 #1")) == ("cuda:1", "cuda:0")
    assert torch_names(TWINS, torch("cuda:0 NVIDIA RTX A6000")) == ("cuda:0", "cuda:1")
    swapped = torch("cuda:0 NVIDIA RTX A6000 #1", "cuda:1 NVIDIA RTX A6000 #0")
    assert torch_names(TWINS, swapped) == ("cuda:1", "cuda:0")


@pytest.mark.parametrize(("built_for", "names"), [("cuda", ("cuda:0", "cuda:1")), ("rocm", ("cuda:1", "cuda:0"))])
def test_cards_of_two_makers(built_for: str, names: tuple[str, ...]) -> None:
    """A torch uses the cards of one maker; no two cards have one name."""
    nvidia = card("nvidia", 0, "NVIDIA GeForce RTX 3060")
    assert torch_names((nvidia, RADEON), torch("cuda:0", built_for=built_for)) == names
    assert torch_names((nvidia, RADEON), torch(built_for=built_for)) == names


def test_an_intel_card_beside_the_processors_graphics() -> None:
    """PyTorch lists the card alone; the graphics alone where there is no card."""
    seen = torch("xpu:0 Intel(R) Arc(TM) A770 Graphics", built_for="xpu")
    assert torch_names((ARC, GRAPHICS), seen) == ("xpu:0", "xpu:1")
    assert torch_names((ARC, GRAPHICS), torch(built_for="xpu")) == ("xpu:0", "xpu:1")
    assert torch_names((GRAPHICS,), torch(built_for="xpu")) == ("xpu:0",)
    watched = tuple(
        MonitoredAccelerator(vendor="intel", index=n, name=name)
        for n, name in enumerate(("Intel integrated graphics", "Intel Graphics"))
    )
    assert torch_names(watched, seen) == ("xpu:1", "xpu:0")


def test_cards_that_train_come_with_their_names() -> None:
    """Names are those of the whole machine, of which some cards are left out."""
    found = training_cards(machine(ARC, GRAPHICS, card("apple", 0, "M3"), torch=torch()))
    assert [(name, place) for name, place, _ in found] == [("xpu:0", 0), ("mps", 2)]


@pytest.mark.parametrize("seen", [Seen("cuda:0"), Seen("cuda:0", "RTX 4090"), Seen("cuda:1", "RTX 4090", 3)])
def test_what_torch_sees_is_spelled_and_read(seen: Seen) -> None:
    """Machine and benchmark carry it as text."""
    framework = torch(seen.spelled(), "mps Apple GPU")
    assert seen_devices(framework) == (seen, Seen("mps", "Apple GPU"))
    run = benchmark(environment=spelled_devices(framework) | {"torch": "2.9+rocm6.4"})
    assert framework_of(run) == Framework(built_for="rocm", visible_devices=framework.visible_devices)
    assert framework_of(benchmark()) == Framework()
    assert spelled_devices(Framework()) == {}


def watched(*names: str, reasons: tuple[str, ...] = (), **metrics: float) -> TelemetrySummary:
    """Return what sensors said of NVIDIA's cards."""
    found = {name.replace("__", "."): MetricSummary(mean=v, peak=v, count=3) for name, v in metrics.items()}
    cards = tuple(MonitoredAccelerator(vendor="nvidia", index=n, name=name) for n, name in enumerate(names))
    return TelemetrySummary(
        start_s=0, end_s=3, count=3, metrics=dict(found), accelerators=cards, throttle_reasons=reasons
    )


def test_reasons_of_one_card_only() -> None:
    """Another card's heat is not this one's; older reports say it of a single card only."""
    seen = watched("A", "B", reasons=("heat",), accelerators__1__throttle_heat=0.5)
    assert throttle_reasons("cuda:0", seen, Framework()) == ()
    assert throttle_reasons("cuda:1", seen, Framework()) == ("heat",)
    assert throttle_reasons("cpu", seen, Framework()) == ()
    older = watched("A", reasons=("heat",))
    assert throttle_reasons("cuda:0", older, Framework()) == ("heat",)
    assert throttle_reasons("cuda:0", msgspec.structs.replace(older, accelerators=()), Framework()) == ()
    assert sensor_prefix("cuda:7", older, Framework()) == ""
