"""The hours the articles report lie in the interval that the program gives a user with that computer and that job."""

import pytest

from advisor.catalog import find_workload
from advisor.records.hardware.machine import Accelerator, Cpu, Disk, FormFactor, Framework, Host, Machine, Memory
from advisor.records.job.workload import Circumstances
from advisor.records.request import Observation
from advisor.session.forecast import conclude
from advisor.units import GIB


def machine(form: FormFactor, processor: str, cores: int, card: str, *, memory_gib: int, card_gib: int) -> Machine:
    """Return an article's computer as the probe would see it."""
    return Machine(
        host=Host(
            os_name="Windows",
            os_version="11",
            form_factor=form,
            isolation="none",
            cpu=Cpu(
                name=processor,
                vendor="GenuineIntel",
                architecture="x86_64",
                physical_cores=cores,
                logical_cores=2 * cores,
                usable_cores=2 * cores,
            ),
            memory=Memory(total_bytes=memory_gib * GIB, available_bytes=memory_gib * GIB, limit_bytes=memory_gib * GIB),
            disk=Disk(kind="ssd", free_bytes=200 * GIB),
        ),
        accelerators=(
            Accelerator(vendor="nvidia", index=0, name=card, kind="discrete", trains=True, memory_bytes=card_gib * GIB),
        ),
        framework=Framework(version="2.13.0", built_for="cuda"),
    )


LAPTOP = machine("laptop", "Core i7-10750H", 6, "NVIDIA GeForce RTX 2060", memory_gib=16, card_gib=6)
SERVER = machine("desktop", "Xeon Gold 6256", 12, "NVIDIA RTX A6000", memory_gib=512, card_gib=48)


@pytest.mark.parametrize(
    ("seen", "preset", "option", "measured_s"),
    [
        (LAPTOP, "article_cnn", "here/cuda:0", 38 + 42 + 45 + 44 + 45),
        (LAPTOP, "article_cnn", "here/cpu", 424 + 413 + 413 + 408 + 408),
        (SERVER, "densenet121_cats_dogs", "here/cuda:0", 2 * 3600),
        (SERVER, "densenet121_cats_dogs", "here/cpu", 13 * 3600),
    ],
)
def test_the_articles_hours_are_inside(seen: Machine, preset: str, option: str, measured_s: float) -> None:
    """Of the articles' programs nothing is known but what the articles say: the presets hold no more."""
    report = conclude(Observation(machine=seen), find_workload(preset).workload, Circumstances())
    found = next(one for one in report.advice.options if one.id == option)

    assert found.interval is not None
    assert found.interval.low <= measured_s <= found.interval.high
