"""Which build of torch fits which card."""

import msgspec
import pytest

from advisor.pack.choice import backend_for, expected_devices
from advisor.records.hardware.machine import Accelerator, Machine, Vendor
from tests.unit.pack.computers import bare_machine


def with_card(vendor: Vendor, **fields: object) -> Machine:
    """Return a computer with one card to train on."""
    card = Accelerator(vendor=vendor, index=0, name="card", kind="discrete", trains=True, **fields)  # type: ignore[arg-type]
    return msgspec.structs.replace(bare_machine(), accelerators=(card,))


@pytest.mark.parametrize(
    ("capability", "backend"),
    [("5.2", "cu126"), ("6.1", "cu126"), ("7.0", "cu126"), ("7.5", "auto"), ("8.9", "auto"), ("12.0", "auto")],
)
def test_old_cards_get_the_build_that_still_has_code_for_them(capability: str, backend: str) -> None:
    """The driver alone does not tell: a Pascal card with the newest driver still needs an older build."""
    assert backend_for(with_card("nvidia", compute_capability=capability), {}) == backend


def test_the_environment_comes_first() -> None:
    """Whoever has a mirror says which build it offers."""
    card = with_card("nvidia", compute_capability="6.1")

    assert backend_for(card, {"ADVISOR_TORCH_BUILD": "registry"}) == "registry"


def test_a_card_of_unknown_capability_is_left_to_uv() -> None:
    """What is not known is not taken for old."""
    assert backend_for(with_card("nvidia", compute_capability=None), {}) == "auto"


@pytest.mark.parametrize(
    ("vendor", "backend"), [("amd", "auto"), ("intel", "xpu"), ("apple", "auto"), ("other", "cpu")]
)
def test_other_makes(vendor: Vendor, backend: str) -> None:
    """Each make has its build, and one without gets the processor's."""
    assert backend_for(with_card(vendor), {}) == backend


def test_a_card_that_is_not_there_asks_for_nothing() -> None:
    """A card set by hand is for what-if questions; nothing is downloaded for it."""
    imagined = with_card("nvidia", compute_capability="8.9", is_overridden=True)

    assert (backend_for(imagined, {}), expected_devices(imagined)) == ("cpu", ())
    assert backend_for(bare_machine(), {}) == "cpu"


def test_torch_calls_both_makes_cuda() -> None:
    """AMD's cards are torch's cuda devices too."""
    assert expected_devices(with_card("amd")) == ("cuda",)
