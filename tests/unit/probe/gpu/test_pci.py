"""Names of graphics processors by PCI id: our table, the computer's own lists, and links."""

import re

import pytest

from advisor.probe.gpu.pci import PciDevice, display_devices, is_ambiguous, pci_name, read_link
from advisor.resource import resource_path
from tests.unit.probe.computers.fakes import RecordedFiles

NOTHING = RecordedFiles({}, {})
TABLE = [
    line.split("\t") for line in resource_path("pci", "gpus.tsv").read_text("utf-8").splitlines() if line[0] != "#"
]


def device(pci_id: str, revision: str = "") -> PciDevice:
    """Return a device of an id such as ``10de:2684``."""
    vendor, _, number = pci_id.partition(":")
    return PciDevice(address="0000:01:00.0", vendor=vendor, device=number, revision=revision, driver=None)


def test_table_is_well_formed() -> None:
    """Each row has id, revision and name, and no row stands twice."""
    for row in TABLE:
        assert len(row) == 3
        assert re.fullmatch(r"(10de|1002|8086):[0-9a-f]{4}", row[0])
        assert re.fullmatch(r"-|[0-9a-f]{2}", row[1])
        assert row[2].split()[0] in {"NVIDIA", "AMD", "Intel", "ATI"}, row
    assert len({(row[0], row[1]) for row in TABLE}) == len(TABLE)


@pytest.mark.parametrize(
    ("pci_id", "revision", "name"),
    [
        ("10de:2684", "a1", "NVIDIA GeForce RTX 4090"),
        ("10de:2757", "a1", "NVIDIA GeForce RTX 4090 Laptop GPU"),
        ("10de:2520", "a1", "NVIDIA GeForce RTX 3060 Laptop GPU"),
        ("10de:2330", "a1", "NVIDIA H100 SXM5 80GB"),
        ("1002:744c", "cc", "AMD Radeon RX 7900 XT"),
        ("1002:7550", "c0", "AMD Radeon RX 9070 XT"),
        ("1002:1586", "c1", "AMD Radeon 8060S Graphics"),
        ("8086:e20b", "", "Intel Arc B580"),
    ],
)
def test_known_ids(pci_id: str, revision: str, name: str) -> None:
    """Laptop chips, models of one chip by revision, and data centre cards have their own names."""
    assert pci_name(NOTHING, device(pci_id, revision)) == name


def test_unknown_revision_gives_a_name_known_to_be_ambiguous() -> None:
    """A chip that several models share is not passed off as one of them."""
    name = pci_name(NOTHING, device("1002:744c", "ff"))
    assert name is not None
    assert is_ambiguous(name)


def test_unknown_id_has_no_name() -> None:
    """A card newer than every list stays without name rather than getting a wrong one."""
    assert pci_name(NOTHING, device("10de:ffff")) is None


def test_own_lists_of_the_computer_are_asked() -> None:
    """A card missing in our table is found in the system's pci.ids and in libdrm's list."""
    ids = (
        "10de  NVIDIA Corporation\n\tfffe  GX100 [GeForce RTX 9090]\n\t\t1234 5678  Board\n1002  AMD\n\tfffe  Navi 99\n"
    )
    files = RecordedFiles(
        {"/usr/share/misc/pci.ids": ids, "/usr/share/libdrm/amdgpu.ids": "FFFD,\tC0,\tAMD Radeon(TM) RX 9999"}, {}
    )
    assert pci_name(files, device("10de:fffe")) == "GeForce RTX 9090"
    assert pci_name(files, device("1002:fffe")) == "Navi 99"
    assert pci_name(files, device("1002:fffd", "c0")) == "AMD Radeon RX 9999"
    assert pci_name(files, device("8086:fffe")) is None


def test_sound_functions_of_cards_are_no_cards() -> None:
    """Only display and accelerator classes are taken."""
    folder = "/sys/bus/pci/devices/0000:01:00.1"
    files = RecordedFiles({f"{folder}/class": "0x040300", f"{folder}/vendor": "0x10de"}, {})
    assert display_devices(files) == ()


@pytest.mark.parametrize(("speed", "generation"), [("2.5 GT/s PCIe", 1), ("5.0 GT/s PCIe", 2), ("8.0 GT/s PCIe", 3),
                                                   ("16.0 GT/s PCIe", 4), ("32.0 GT/s PCIe", 5), ("64.0 GT/s", 6),
                                                   ("Unknown", None)])  # fmt: skip
def test_link_generations(speed: str, generation: int | None) -> None:
    """Transfer rates are told as generations."""
    folder = "/sys/bus/pci/devices/0000:01:00.0"
    link = read_link(
        RecordedFiles({f"{folder}/current_link_speed": speed, f"{folder}/current_link_width": "8"}, {}),
        device("10de:1"),
    )
    assert link is not None
    assert (link.generation, link.width, link.max_generation) == (generation, 8, None)


def test_no_link_files_no_link() -> None:
    """Without the files nothing is claimed."""
    assert read_link(NOTHING, device("10de:1")) is None


def test_eight_lanes_behind_a_foreign_switch() -> None:
    """A switch of another maker belongs to the computer, and the card's own link counts."""
    chain = "/sys/devices/pci0000:00/0000:00:01.0/0000:01:00.0/0000:02:00.0"
    files = RecordedFiles(
        {
            "/sys/bus/pci/devices/0000:01:00.0/vendor": "0x10b5",
            f"{chain}/vendor": "0x1002",
            f"{chain}/current_link_width": "4",
        },
        {"/sys/bus/pci/devices/0000:02:00.0": chain},
    )
    card = PciDevice(address="0000:02:00.0", vendor="1002", device="744c", revision="c8", driver=None)
    link = read_link(files, card)
    assert link is not None
    assert link.width == 4
