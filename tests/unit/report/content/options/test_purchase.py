"""Before a card is bought: what it asks for, what this computer has, what its owner must look up."""

import msgspec
import pytest

from advisor.catalog import board, find_workload
from advisor.locale import language
from advisor.records.job.workload import Circumstances
from advisor.records.request import Observation
from advisor.records.results.report import Report
from advisor.report.content.blocks import Bullets
from advisor.report.content.options.purchase import purchase_section, to_look_up
from advisor.session.forecast import conclude
from tests.unit.benchmark.diagnosed import machine


def _texts(report: Report) -> str:
    blocks = purchase_section(report, language("en")).blocks
    return " ".join(item.text for block in blocks if isinstance(block, Bullets) for item in block.items)


def _report(form_factor: str) -> Report:
    here = machine()
    here = msgspec.structs.replace(here, host=msgspec.structs.replace(here.host, form_factor=form_factor))
    asked = Circumstances(runs_per_month=60.0, data_must_stay=True)
    return conclude(Observation(machine=here), find_workload("llm_7b_qlora").workload, asked)


@pytest.mark.parametrize(
    ("name", "supply_w", "length_mm", "connectors"),
    [
        ("GeForce RTX 4090", 850, 304, "1x 16-pin"),
        ("RTX A4000", 300, 241, "1x 6-pin"),
        ("RTX PRO 6000 Blackwell Workstation Edition", 1000, 304, "1x 16-pin"),
        ("GeForce RTX 3080 10GB", 700, 285, "1x 12-pin"),
    ],
)
def test_a_card_asks_for_supply_and_room(name: str, supply_w: int, length_mm: int, connectors: str) -> None:
    """As NVIDIA and the open database say."""
    found = board(name)
    assert found is not None
    assert (found.supply_w, found.length_mm, found.connectors) == (supply_w, length_mm, connectors)


def test_connectors_are_in_the_readers_language() -> None:
    """A Spanish sentence listed "1x 8-pin"."""
    report = msgspec.structs.replace(_report("desktop"), board=board("RTX A4000"))
    assert report.board is not None
    bought = next(one for one in report.advice.options if one.tier == "single_gpu")
    report = msgspec.structs.replace(report, board=msgspec.structs.replace(report.board, device=bought.device))
    assert any("1 × 6 pines" in text for text in to_look_up(bought, report, language("es")))
    assert any("1x 6-pin" in text for text in to_look_up(bought, report, language("en")))


def test_a_card_for_this_desktop_names_what_the_probe_sees_and_cannot_see() -> None:
    """Threads and memory are known; supply, room and slot are asked."""
    report = _report("desktop")
    assert report.board is not None
    assert report.host is None
    text = _texts(report)
    assert "This computer has" in text
    assert f"Whether your power supply gives {report.board.supply_w:.0f} W" in text
    assert "Whether a long PCIe slot (x16) is free" in text


def test_a_laptop_gets_a_computer_around_the_card_and_what_is_in_it() -> None:
    """6 cores, 12 threads, 32 GB and 850 W, as the parts list of its price says."""
    report = _report("laptop")
    assert report.host is not None
    assert (report.host.cores, report.host.threads, report.host.supply_w) == (6, 12, 850)
    text = _texts(report)
    assert "The computer around it, $674: 6 cores with 12 threads, 32" in text
    assert "what each part cost is not published" in text
    assert "Whether your power supply" not in text


def test_a_processor_for_loading_says_what_it_costs_and_from_which_list() -> None:
    """A day for 90 epochs of ImageNet from a laptop: more than the six cores of the usual computer."""
    here = machine()
    here = msgspec.structs.replace(here, host=msgspec.structs.replace(here.host, form_factor="laptop"))
    asked = Circumstances(runs_per_month=2.0, data_must_stay=True, deadline_s=86_400.0)
    report = conclude(Observation(machine=here), find_workload("resnet50_imagenet").workload, asked)
    assert report.host is not None
    assert (report.host.cores, report.host.extra_usd) in ((8, 150), (12, 250), (16, 500))
    text = _texts(report)
    assert (
        f"Its processor costs ${report.host.extra_usd:.0f} more than one of six cores in a list of October 2020" in text
    )
