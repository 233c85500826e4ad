"""The doctor's text: every fact with its check, every gap with its reason, nothing personal, everything translated."""

import re
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from advisor.locale import Language, language
from advisor.probe import probe_machine
from advisor.probe.framework import merge_framework
from advisor.records.base import Gap
from advisor.records.hardware.machine import Framework, Machine
from advisor.report.documents.doctor import PHRASES, doctor_text
from advisor.report.words.labels import users_phrase
from advisor.report.words.problems import REMEDIES, mending_command
from tests.unit.benchmark.diagnosed import CARD
from tests.unit.probe.computers.fakes import DATA, FakeNvml, linux, nvidia_card
from tests.unit.probe.computers.macs import INTEL, INTEL_DISPLAYS, M2_DISPLAYS, M2_MAX, mac
from tests.unit.probe.computers.windows_computers import APU_ADAPTER, RADEON_ADAPTER
from tests.unit.probe.computers.windows_computers import readers as windows

ENGLISH = language("en")
NAMES = sorted(path.stem for path in DATA.glob("*.tree"))


def machines() -> list[Machine]:
    """Return all recorded machines, and some with a card that answers."""
    split = nvidia_card("NVIDIA H100 PCIe", nvmlDeviceGetMigMode=[1, 1], nvmlDeviceGetMaxMigDeviceCount=0)
    return [
        *(probe_machine(readers=linux(name)) for name in NAMES),
        probe_machine(readers=linux("wsl2", FakeNvml(nvidia_card(), split, nvidia_card("GRID T4-2B")))),
        probe_machine(readers=windows(APU_ADAPTER, RADEON_ADAPTER)),
        probe_machine(readers=mac(M2_MAX, M2_DISPLAYS)),
        probe_machine(readers=mac(INTEL, INTEL_DISPLAYS)),
    ]


@pytest.fixture(scope="module")
def recorded() -> list[Machine]:
    """All recorded machines, probed once."""
    return machines()


def with_torch(framework: Framework, **card: Any) -> Machine:
    """Return a machine with one NVIDIA card and this torch."""
    nvml = FakeNvml(nvidia_card(**card), system={"nvmlSystemGetCudaDriverVersion_v2": card.pop("cuda", 13000)})
    return merge_framework(probe_machine(readers=linux("wsl2", nvml)), framework)


def test_each_fact_has_its_check_below() -> None:
    """Memory stands in words and exactly, with the file it was read from and the command that shows it too."""
    lines = doctor_text(probe_machine(readers=linux("container_cgroup2")), ENGLISH).splitlines()
    place = lines.index("Memory this program may use: 2\N{NO-BREAK SPACE}GB (2,147,483,648 bytes)")
    assert "/sys/fs/cgroup/memory.max" in lines[place + 1]
    assert "check: cat /sys/fs/cgroup/memory.max" in lines[place + 1]


def test_gaps_of_one_card_stand_together_with_reason_and_remedy() -> None:
    """What a sleeping card does not tell is one paragraph, not nine."""
    text = " ".join(doctor_text(probe_machine(readers=linux("laptop_amd_igpu_nvidia_asleep")), ENGLISH).split())
    missing = text[text.index("What is missing, and why") :]
    assert missing.count("the card is asleep and was not woken") == 1
    assert "Memory of the card, Used memory of the card" in missing
    assert "remedy: Start something that uses the card" in missing
    assert "State: asleep; it was not woken" in text


def test_every_line_fits_a_forum(recorded: list[Machine]) -> None:
    """No paragraph of words is wider than a hundred signs; file names may be."""
    for machine in recorded:
        for line in doctor_text(machine, ENGLISH).splitlines():
            assert len(line) <= 100 or "/" in line or "read from" in line, line


def test_every_gap_and_every_value_is_printed(recorded: list[Machine]) -> None:
    """The text leaves out nothing the record holds."""
    for machine in recorded:
        text = " ".join(doctor_text(machine, ENGLISH).split())
        for card in machine.accelerators:
            assert card.name in text
            assert card.driver_version is None or card.driver_version in text
        for gap in machine.gaps:
            assert gap.detail in text or " ".join(gap.detail.split()) in text
            assert gap.remedy is None or REMEDIES[gap.remedy].split()[0] in text


def test_every_remedy_the_probe_names_has_a_sentence(recorded: list[Machine]) -> None:
    """A code without text would leave the user alone with it."""
    for machine in recorded:
        assert {gap.remedy for gap in machine.gaps} - {None} <= REMEDIES.keys()


def test_words_of_the_probe_can_be_translated(recorded: list[Machine]) -> None:
    """What the probe writes is either a known phrase or the name of a file, a function, a command or a version."""
    technical = re.compile(
        r"[/\\_().:\d]|^(uname|registry [A-Z]|sysctl|torch$|nvml[A-Z]|diskutil info -plist)|^IOCTL|^[A-Z]"
    )
    for machine in recorded:
        words = {note.how for note in machine.evidence} | {gap.detail for gap in machine.gaps}
        unknown = {word for word in words - set(PHRASES) - {""} if not technical.search(word)}
        assert not unknown, unknown


class Marking(Language):
    """Marks each text that goes through translation."""

    @property
    def gettext(self) -> Callable[[str], str]:
        """Return a translation that is the text with a mark before it."""
        return lambda text: f"~{text}"


def test_every_text_goes_through_translation(recorded: list[Machine]) -> None:
    """No label, heading or sentence is left in English for a user who reads another language."""
    for machine in recorded:
        for line in doctor_text(machine, Marking("en")).splitlines():
            is_rule = set(line) <= {"-"}
            is_continued = line.startswith("  ") and not line.startswith("    ~")
            assert is_rule or is_continued or line.lstrip("! ").startswith(("~", "python -m pip")), line


def test_nothing_personal_is_printed() -> None:
    """Folder and user of the recorded machine are nowhere in the text."""
    text = doctor_text(probe_machine(readers=linux("desktop_radeon", folder="/home/ana/secret-project")), ENGLISH)
    assert "ana" not in text.replace("anaged", "")
    assert "/home" not in text


def test_computer_without_any_adapter() -> None:
    """A computer with no display adapter at all is told so in a sentence."""
    text = doctor_text(probe_machine(readers=linux("wsl2")), ENGLISH)
    assert "No graphics card or other accelerator was found." in text


@pytest.mark.parametrize(
    ("framework", "capability", "cuda", "index"),
    [
        (Framework(version="2.13.0", built_for="cpu"), [8, 6], 13000, "cu130"),
        (Framework(version="2.13.0", built_for="cpu"), [8, 6], 12040, "cu126"),
        (Framework(version="2.13.0", built_for="cpu"), [6, 1], 13000, "cu126"),
        (Framework(version="2.13.0", built_for="rocm", built_for_version="7.0"), [8, 6], 13000, "cu130"),
        (Framework(version="2.13.0", built_for="cuda", built_for_version="13.0", architectures=("sm_75",)), [6, 1],
         13000, "cu126"),
    ],
)  # fmt: skip
def test_mending_names_the_build_that_suits(framework: Framework, capability: list[int], cuda: int, index: str) -> None:
    """The command installs a build that card and driver can use."""
    machine = with_torch(framework, nvmlDeviceGetCudaComputeCapability=capability, cuda=cuda)
    command = mending_command(machine)
    assert command is not None
    assert command.endswith(f"/whl/{index}")
    assert command in doctor_text(machine, ENGLISH)


def test_unsuited_torch_says_why_at_the_card() -> None:
    """The card's own line names the mismatch, not a missing fact."""
    text = doctor_text(with_torch(Framework(version="2.13.0", built_for="cpu")), ENGLISH)
    line = next(line for line in text.splitlines() if "PyTorch and the card" in line)
    assert "does not tell" not in line
    assert "processor only" in " ".join(text.split())


def test_no_command_where_none_mends_it() -> None:
    """An old driver is not fixed by pip; AMD's index depends on the ROCm version, which uv looks up."""
    old_driver = with_torch(Framework(version="2.13.0", built_for="cuda", built_for_version="13.0"), cuda=12040)
    assert old_driver.framework.mismatch == "driver_too_old"
    assert mending_command(old_driver) is None
    radeon = merge_framework(
        probe_machine(readers=linux("desktop_radeon")), Framework(version="2.13.0", built_for="cpu")
    )
    assert radeon.framework.mismatch == "cpu_only_build"
    assert str(mending_command(radeon)).endswith("--torch-backend=auto")
    arc = merge_framework(probe_machine(readers=linux("desktop_arc")), Framework(version="2.13.0", built_for="cpu"))
    assert str(mending_command(arc)).endswith("/whl/xpu")


def test_torch_that_suits_is_described_without_warning() -> None:
    """A usable torch shows version, build, kernels and devices, and no warning."""
    framework = Framework(version="2.13.0+cu130", built_for="cuda", built_for_version="13.0",
                          architectures=("sm_86",), visible_devices=("cuda:0",))  # fmt: skip
    text = doctor_text(with_torch(framework), ENGLISH)
    assert "PyTorch was built for: cuda 13.0" in text
    assert "Cards PyTorch can use: cuda:0" in text
    assert "! " not in text


def test_link_below_its_best_shows_both() -> None:
    """A link that saves power now says what it can do at most."""
    text = doctor_text(with_torch(Framework(version="2.13.0", built_for="cuda")), ENGLISH)
    assert "PCI Express 1.0 x16 now, at most PCI Express 4.0 x16" in text


def test_machine_without_notes_is_still_readable() -> None:
    """A machine from a file without evidence and gaps prints its facts alone."""
    machine = msgspec.structs.replace(probe_machine(readers=linux("vm_virtio")), evidence=(), gaps=())
    text = doctor_text(machine, ENGLISH)
    assert "What is missing" not in text
    assert "Memory (RAM):" in text


def test_unknown_codes_of_another_version_are_passed_over() -> None:
    """A remedy this version does not know leaves no empty line."""
    gap = Gap(field="accelerators.0", reason="not_found", detail="", remedy="from_the_future")
    machine = msgspec.structs.replace(probe_machine(readers=linux("vm_virtio")), gaps=(gap,))
    assert "from_the_future" not in doctor_text(machine, ENGLISH)


@pytest.mark.parametrize(
    ("used_by", "said"),
    [((), None), (("code", "game"), "code, game"), (("",), "1 program"), (("", ""), "2 programs")],
)
def test_who_uses_a_card_is_named_or_counted(used_by: tuple[str, ...], said: str | None) -> None:
    """On the user's own screen by name; from a report, which has no names, by number."""
    assert users_phrase(msgspec.structs.replace(CARD, used_by=used_by), language("en")) == said
