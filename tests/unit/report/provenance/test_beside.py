"""The numbers beside a time are asked about themselves, not about the time."""

import msgspec
import pytest

from advisor.catalog import find_workload
from advisor.gui.models.verdict import OptionChip, verdict_view
from advisor.locale import language
from advisor.records.base import Source
from advisor.records.job.workload import Circumstances
from advisor.records.request import Observation
from advisor.records.results.report import Report
from advisor.report.content.options.best import best_options
from advisor.report.provenance.beside import of_host, of_limit, of_start
from advisor.report.provenance.money import of_instead
from advisor.report.provenance.record import behind
from advisor.report.words import quantities
from advisor.session.forecast import conclude
from tests.gui.samples import sample_report
from tests.unit.gui.plain import plain

EN = language("en")


@pytest.fixture(scope="module")
def report() -> Report:
    """Return the answer for a computer without a place for a card, which sends its photos to who rents one out."""
    seen = Observation(machine=msgspec.structs.replace(sample_report().machine, accelerators=()))
    return conclude(seen, find_workload("article_cnn").workload, Circumstances())


def chip(report: Report, kind: str) -> OptionChip:
    """Return what the answer shows of one kind."""
    return next(one for one in verdict_view(report, EN).chips if one.kind == kind)


def test_the_minutes_before_a_run_are_start_and_upload(report: Report) -> None:
    """The box of "+ 12 minutes until it starts" was that of the training: 3 to 23 minutes, batch, steps."""
    shown = chip(report, "rent")
    origin = shown.held_origin
    assert behind(shown.held, origin) == origin, "it is headed by the number that was asked"
    assert origin.value in shown.held
    parts = dict(origin.inputs)
    assert plain(parts["Start of the machine"]) == "5 minutes"
    assert plain(parts["Upload of your data"]).endswith("2 GB at 53 Mbit/s")
    assert "Lambda Labs Troubleshooting Guide" in origin.source
    assert "Speedtest" in origin.source, "an ordinary line has a source"
    assert (origin.band, "Batch" in parts) == ("", False)


def test_a_line_of_the_users_own_has_no_source(report: Report) -> None:
    """Nor have minutes that the user gave; both are counted."""
    asked = Circumstances(upload_bytes_per_s=1e6, setup_s=600.0)
    own = conclude(Observation(machine=report.machine), report.workload, asked)
    rented = next(one for one in best_options(own) if one.offer is not None)
    origin = of_start(rented, own, EN)
    assert plain(dict(origin.inputs)["Your minutes to set it up"]) == "10 minutes"
    assert "at 8 Mbit/s" in plain(dict(origin.inputs)["Upload of your data"])
    assert "Speedtest" not in origin.source


def test_the_threads_are_those_of_the_new_computer(report: Report) -> None:
    """The box of "in a new PC with 12 threads" was that of the training, too."""
    shown = chip(report, "buy")
    origin = shown.held_origin
    assert behind(shown.held, origin) == origin
    assert f"{origin.value} threads" in plain(shown.held)
    assert dict(origin.inputs)["Price of it"]
    assert "Edward Ross" in origin.source
    bought = next(one for one in best_options(report) if one.host_usd > 0)
    assert of_host(bought, msgspec.structs.replace(report, host=None), EN).source == "", "not known of every one"


def test_cores_that_hold_a_card_back_are_named(report: Report) -> None:
    """And what holds it back; no likely range, which a number of cores does not have."""
    here = next(one for one in report.advice.options if one.tier == "this_computer")
    origin = of_limit(here, report, EN)
    assert origin.value == str(report.machine.host.cpu.physical_cores)
    assert "What holds it back" in dict(origin.inputs)
    assert origin.band == ""


def test_a_comparison_explains_its_times_as_well(report: Report) -> None:
    """It names two times and the minutes before one of them; its box had the cost alone."""
    here, rented = (next(o for o in best_options(report) if o.tier == tier) for tier in ("this_computer", "cloud"))
    told = [text for _name, text in of_instead(rented, here, report, EN).inputs]
    assert {quantities.duration(one.run_s or 0.0, EN) for one in (here, rented)} <= set(told)
    assert "5 minutes" in map(plain, told)
    assert quantities.duration(rented.before_s, EN) in told


def test_an_earlier_report_has_no_source_of_the_line(report: Report) -> None:
    """It is left out, the rest is said."""
    known = {"start": Source(title="A guide", date="2026")}
    rented = next(one for one in best_options(report) if one.offer is not None)
    origin = of_start(rented, msgspec.structs.replace(report, cost_sources=known), EN)
    assert origin.source == "start: A guide, 2026"
