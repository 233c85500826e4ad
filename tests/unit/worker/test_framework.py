"""What torch says of itself and its devices; a made-up torch stands for cards that are not here."""

from types import SimpleNamespace
from typing import Any

import pytest

from advisor.card_matching import Seen
from advisor.records.base import Precision
from advisor.records.channel import WorkerDevice
from advisor.worker import framework


def never() -> bool:
    """There is no such device."""
    return False


def a_torch(**parts: Any) -> SimpleNamespace:
    """Return a made-up torch with these parts; without them a build for the processor alone."""
    plain: dict[str, Any] = {
        "version": SimpleNamespace(hip=None, cuda=None),
        "cpu": SimpleNamespace(get_capabilities=dict),
        "cuda": SimpleNamespace(is_available=never),
        "backends": SimpleNamespace(mps=SimpleNamespace(is_available=never, is_built=never)),
    }
    return SimpleNamespace(**(plain | parts))


def cuda_with(*properties: SimpleNamespace) -> SimpleNamespace:
    """Return torch.cuda with these cards, each with 8 GB of which 6 are free."""
    return SimpleNamespace(
        is_available=lambda: True,
        device_count=lambda: len(properties),
        get_device_properties=lambda index: properties[index],
        mem_get_info=lambda index: (6 * 10**9, 8 * 10**9),
    )


def card(major: int, minor: int, **fields: object) -> SimpleNamespace:
    """Return the properties of a card."""
    return SimpleNamespace(name="Card", major=major, minor=minor, multi_processor_count=24, **fields)


@pytest.mark.parametrize(
    ("major", "minor", "short"),
    [
        (5, 2, set()),
        (6, 1, {"fp16"}),
        (7, 5, {"fp16"}),
        (8, 0, {"fp16", "bf16", "tf32"}),
        (12, 0, {"fp16", "bf16", "tf32"}),
    ],
)
def test_formats_of_nvidia_cards(major: int, minor: int, short: set[Precision]) -> None:
    """Each generation has the formats it has units for."""
    device = framework._cuda_device(a_torch(cuda=cuda_with(card(major, minor))), 0)

    assert set(device.precisions) == {"fp32", "fp64"} | short
    assert device.compute_capability == f"{major}.{minor}"


def test_facts_of_a_card() -> None:
    """Name, memory and number are the driver's."""
    (_, first, second), _ = framework._devices(a_torch(cuda=cuda_with(card(8, 9), card(8, 6))))

    assert (first.name, second.name, first.title) == ("cuda:0", "cuda:1", "Card")
    assert (first.memory_bytes, first.free_bytes, first.multiprocessors) == (8 * 10**9, 6 * 10**9, 24)


@pytest.mark.parametrize(("chip", "has_bf16"), [("gfx1030", False), ("gfx1100", True), ("gfx90a:sramecc+", True)])
def test_formats_of_amd_cards(chip: str, has_bf16: bool) -> None:
    """AMD's cards have no compute capability; bf16 came with CDNA and RDNA 3."""
    version = SimpleNamespace(hip="6.4", cuda=None)
    device = framework._cuda_device(a_torch(version=version, cuda=cuda_with(card(11, 0, gcnArchName=chip))), 0)

    assert device.compute_capability is None
    assert ("bf16" in device.precisions, "tf32" in device.precisions) == (has_bf16, False)


def test_intel_cards_without_fp64() -> None:
    """An Intel card computes fp64 only where it says so."""
    properties = SimpleNamespace(name="Arc", total_memory=16 * 10**9, has_fp64=False)
    xpu = SimpleNamespace(
        is_available=lambda: True, device_count=lambda: 1, get_device_properties=lambda index: properties
    )
    (_, device), _ = framework._devices(a_torch(xpu=xpu))

    assert (device.name, device.title, device.precisions) == ("xpu:0", "Arc", ("fp32", "fp16", "bf16"))


def test_torch_that_knows_no_intel_cards() -> None:
    """Older versions have no such part; the processor is there all the same."""
    devices, problems = framework._devices(a_torch())

    assert ([device.name for device in devices], problems) == (["cpu"], [])


def test_apples_device() -> None:
    """Apple's GPU has the memory that torch advises, and no fp64."""
    backends = SimpleNamespace(mps=SimpleNamespace(is_available=lambda: True, is_built=lambda: True))
    mps = SimpleNamespace(recommended_max_memory=lambda: 12 * 10**9)
    (_, device), _ = framework._devices(a_torch(backends=backends, mps=mps))

    assert (device.name, device.memory_bytes, "fp64" in device.precisions) == ("mps", 12 * 10**9, False)


@pytest.mark.parametrize(
    ("capabilities", "short"),
    [
        ({}, set()),
        ({"avx2": True, "avx512_f": True}, set()),
        ({"avx512_bf16": True}, {"bf16"}),
        ({"amx_bf16": True, "amx_fp16": True}, {"bf16", "fp16"}),
        ({"neon": True, "bf16": True, "fp16_arith": True}, {"bf16", "fp16"}),
    ],
)
def test_formats_of_processors(capabilities: dict[str, bool], short: set[Precision]) -> None:
    """A short format counts only where the processor has instructions for it."""
    device = framework._processor(a_torch(cpu=SimpleNamespace(get_capabilities=lambda: capabilities)))

    assert set(device.precisions) == {"fp32", "fp64"} | short


def test_processor_as_older_torch_tells_it() -> None:
    """Before ``get_capabilities`` there were single questions."""
    cpu = SimpleNamespace(_is_avx512_bf16_supported=lambda: True, _is_amx_fp16_supported=never)

    assert "bf16" in framework._processor(a_torch(cpu=cpu)).precisions


@pytest.mark.parametrize(
    ("version", "build"),
    [
        (SimpleNamespace(hip=None, cuda=None), ("cpu", None)),
        (SimpleNamespace(hip=None, cuda="12.6"), ("cuda", "12.6")),
        (SimpleNamespace(hip="6.4", cuda=None), ("rocm", "6.4")),
        (SimpleNamespace(hip=None, cuda=None, xpu="20250101"), ("xpu", "20250101")),
    ],
)
def test_what_torch_was_built_for(version: SimpleNamespace, build: tuple[str, str | None]) -> None:
    """Each build names its kind and version."""
    assert framework._build_of(a_torch(version=version)) == build


def test_a_card_that_fails_hides_itself_only() -> None:
    """The message is kept, and the other card can still be used."""
    cuda = cuda_with(card(8, 9), card(8, 6))

    def memory_of(index: int) -> tuple[int, int]:
        if index == 0:
            raise RuntimeError("CUDA error: all CUDA-capable devices are busy or unavailable")
        return (6 * 10**9, 8 * 10**9)

    cuda.mem_get_info = memory_of
    devices, problems = framework._devices(a_torch(cuda=cuda))

    assert [device.name for device in devices] == ["cpu", "cuda:1"]
    assert problems == ["RuntimeError: CUDA error: all CUDA-capable devices are busy or unavailable"]


@pytest.mark.parametrize(
    ("value", "shown"), [("0,2", "0,2"), ("GPU-8932f937-d72c-4106-c12f-20bd9faed9f6", "set"), ("MIG-1/2/3", "set")]
)
def test_identifiers_of_cards_are_not_shown(value: str, shown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A number says which card was chosen; an identifier says whose."""
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", value)
    absent = SimpleNamespace(is_available=never)
    backends = SimpleNamespace(cpu=SimpleNamespace(get_cpu_capability=str), mkldnn=absent, mkl=absent)
    torch = a_torch(backends=backends, __version__="2", get_num_threads=lambda: 2)

    assert framework._environment(torch)["CUDA_VISIBLE_DEVICES"] == shown


def test_a_torch_that_cannot_tell_the_processors_instructions() -> None:
    """Before 2.1; whoever has an older one elsewhere is told that it differs."""
    absent = SimpleNamespace(is_available=never)
    torch = a_torch(
        backends=SimpleNamespace(mkldnn=absent, mkl=absent), __version__="1.13.1", get_num_threads=lambda: 2
    )

    assert "cpu_capability" not in framework._environment(torch)


@pytest.mark.parametrize(
    ("variables", "built_for", "position"),
    [
        ({}, "cuda", None),
        ({"CUDA_VISIBLE_DEVICES": "2, 0"}, "cuda", 0),
        ({"CUDA_VISIBLE_DEVICES": "2"}, "cuda", None),
        ({"CUDA_VISIBLE_DEVICES": "GPU-8932f937,GPU-1"}, "cuda", None),
        ({"HIP_VISIBLE_DEVICES": "1,3", "CUDA_VISIBLE_DEVICES": "5,6"}, "rocm", 3),
        ({"HIP_VISIBLE_DEVICES": "1,3"}, "cuda", None),
    ],
)
def test_which_card_is_shown(
    variables: dict[str, str], built_for: str, position: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Numbers say which of all cards torch's second one is; identifiers do not."""
    for name in ("CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    second = framework._cuda_device(a_torch(cuda=cuda_with(card(8, 9), card(8, 6))), 1)

    assert framework._seen(second, built_for) == Seen("cuda:1", "Card", position)


def test_apples_card_has_no_position(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor has one of Intel."""
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1")

    assert framework._seen(WorkerDevice(name="mps", title="Apple GPU"), "mps") == Seen("mps", "Apple GPU")
