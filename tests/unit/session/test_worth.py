"""Is another part worth it: answered from what holds the job back."""

import msgspec
import pytest

from advisor.catalog import find_workload
from advisor.errors import UnknownNameError
from advisor.locale import language
from advisor.records.hardware.machine import Accelerator, Disk
from advisor.records.job.workload import Circumstances
from advisor.records.request import Observation
from advisor.records.results.report import Report
from advisor.report.content.blocks import Bullets
from advisor.report.content.what_if import what_if
from advisor.session.forecast import conclude
from advisor.session.worth import check_question, worth
from advisor.units import GIB, HOUR_S
from tests.unit.benchmark.diagnosed import machine

CARD = Accelerator(
    vendor="nvidia", index=0, name="GeForce RTX 3060 12GB", kind="discrete", trains=True, memory_bytes=12 * GIB
)


@pytest.fixture(scope="module")
def photos() -> Report:
    """Ten epochs of a million photos, which the memory does not keep, on a hard disk, twice a month."""
    job = msgspec.structs.replace(find_workload("resnet50_imagenet").workload, samples=10**6, epochs=10.0)
    seen = Observation(machine=machine(CARD, disk=Disk(kind="hdd", free_bytes=500 * GIB)))
    return conclude(seen, job, Circumstances(runs_per_month=2.0))


def test_of_an_upgrade_the_part_that_holds_the_job_back_comes_first(photos: Report) -> None:
    """Ten million photos and half a million to validate, at 65 a second, are 45 hours; a faster drive saves most."""
    first, *others = worth(photos, "upgrade")
    assert first.kind == "disk"
    assert first.now_s == pytest.approx(10.5e6 / 65)
    assert first.limit == "disk"
    assert first.saved_s is not None
    assert first.saved_s > 40 * HOUR_S
    assert all(abs(one.saved_s or 0.0) < 0.05 * 2 * 45 * HOUR_S for one in others)


def test_a_card_behind_a_slow_disk_is_said_to_bring_nothing(photos: Report) -> None:
    """Its price is named, and what would be better for the money does it clearly sooner for no more."""
    [one] = worth(photos, "RTX 5090")
    asked = msgspec.structs.replace(photos, what_if=(one,))
    [block] = what_if(asked, language("en")).blocks
    assert isinstance(block, Bullets)
    assert "hardly any difference" in block.items[0].text
    assert "hard disk" in block.items[0].text
    better = next(option for option in photos.advice.options if option.id == one.better)
    sold = next(option for option in photos.advice.options if option.id == "buy/GeForce RTX 5090")
    assert better.run_s is not None
    assert one.then_s is not None
    assert better.horizon_usd is not None
    assert sold.horizon_usd is not None
    assert better.run_s < 0.87 * one.then_s
    assert better.horizon_usd <= sold.horizon_usd


def test_a_part_nobody_knows_is_refused_before_anything_is_measured() -> None:
    """In Spanish a part may be called as it is there."""
    check_question("más memoria")
    check_question("RTX 4090")
    with pytest.raises(UnknownNameError):
        check_question("a miracle")
