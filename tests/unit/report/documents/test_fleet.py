"""The page of a room: what it says follows from the verdict, in both languages and every format."""

import csv
import datetime
import io
import re

import msgspec
import pytest

from advisor.catalog import find_workload
from advisor.fleet import advise_fleet
from advisor.locale import Language
from advisor.records.base import Interval
from advisor.records.job.workload import Circumstances
from advisor.records.results.fleet import FleetAdvice, FleetJob, RefusedFile
from advisor.report.content.blocks import Bullets, Fold, Table
from advisor.report.documents.fleet import fleet_page
from advisor.report.documents.fleet_csv import fleet_csv
from advisor.report.formats.html import html_page
from advisor.report.formats.markdown import markdown_page
from advisor.report.formats.text import text_page
from advisor.units import HOUR_S
from tests.unit.fleet.build import equals, machine, member

ENGLISH, SPANISH = Language("en"), Language("es")


@pytest.fixture(scope="module")
def advice() -> FleetAdvice:
    """Ten equal computers of which one is slow, and one with a card; a quick job and a long one."""
    members = [*equals(10, slow=4, by=0.4), member(50, of=machine(card="NVIDIA GeForce RTX 3060"), label="=1+1")]
    jobs = tuple(
        FleetJob(title=title, workload=find_workload(name).workload, runs_per_month=4.0, deadline_s=hours * HOUR_S)
        for title, name, hours in (("Photos", "article_cnn", 2.0), ("Texts", "bert_finetuning", 2.0))
    )
    refused = (RefusedFile(digest="0" * 12, reason="duplicate"),)
    return advise_fleet(
        members, refused, jobs, Circumstances(country="ES", currency="EUR"), datetime.date(2026, 11, 22)
    )


def test_the_answer_comes_first(advice: FleetAdvice) -> None:
    """Question, verdict, then a sentence for each job and for the slow ones."""
    page = fleet_page(advice, ENGLISH, made="2026-11-22")
    assert page.question.text == "Are these computers enough? 11 computers, 2 jobs."
    assert page.verdict.text.startswith("They are not enough.")
    assert "Texts: computers that are enough, 1 of 11 (" in page.lead[1].text
    assert "Taking turns on those, the last is done after" in page.lead[1].text
    assert page.lead[-1].text == "1 computer is slower than its equals."


def test_a_job_with_other_numbers_is_called_as_people_call_its_network(advice: FleetAdvice) -> None:
    """Such a job has the name of its network for a title, and the page showed "article_cnn"."""
    names = [job.workload.network for job in advice.jobs]
    jobs = tuple(
        msgspec.structs.replace(job, title=name, titles={"en": name, "es": name})
        for job, name in zip(advice.jobs, names, strict=True)
    )
    page = fleet_page(msgspec.structs.replace(advice, jobs=jobs), SPANISH, made="2026-11-22")
    assert page.lead[0].text.startswith("Red sencilla para fotos (CNN): ")
    assert "article_cnn" not in text_page(page)


def test_enough_needs_no_money(advice: FleetAdvice) -> None:
    """Where nobody lacks a seat, nothing is offered."""
    needs = tuple(msgspec.structs.replace(need, people=need.seats, missing=0, ways=()) for need in advice.needs)
    page = fleet_page(msgspec.structs.replace(advice, needs=needs), ENGLISH, made="2026-11-22")
    assert page.verdict.text == "They are enough: everybody gets every job done in time."
    assert not any("turns" in one.text for one in page.lead)
    assert "get" not in {section.id for section in page.sections}


def test_turns_that_serve_all_are_enough(advice: FleetAdvice) -> None:
    """It is said that people take turns, and when the last is done."""
    needs = tuple(
        msgspec.structs.replace(
            need, people=9, seats=3, rounds=3, all_done_s=1800.0, all_done_interval=None, missing=0, ways=()
        )
        for need in advice.needs
    )
    page = fleet_page(msgspec.structs.replace(advice, needs=needs), ENGLISH, made="2026-11-22")
    assert page.verdict.text == "They are enough where people take turns: everybody gets every job done in time."
    assert page.lead[0].text.endswith("all are done after 30 minutes (3 rounds): in time.")
    wide = tuple(msgspec.structs.replace(need, all_done_interval=Interval(low=900.0, high=9000.0)) for need in needs)
    page = fleet_page(msgspec.structs.replace(advice, needs=wide), ENGLISH, made="2026-11-22")
    assert page.lead[0].text.endswith("in time. It may take up to 2½ hours, though, which would be too late.")


def test_jobs_that_meet_on_a_computer_are_said_to_be_alone(advice: FleetAdvice) -> None:
    """Where only one job has seats there is nothing to say."""
    said = "Each job is looked at by itself"
    assert any(one.text.startswith(said) for one in fleet_page(advice, ENGLISH, made="2026-11-22").notes)
    alone = msgspec.structs.replace(advice, needs=advice.needs[:1])
    assert not any(one.text.startswith(said) for one in fleet_page(alone, ENGLISH, made="2026-11-22").notes)


def test_how_many_share_what_is_got_is_in_every_format(advice: FleetAdvice) -> None:
    """Else nobody can tell why four are enough for forty."""
    text = text_page(fleet_page(advice, ENGLISH, made="2026-11-22"), width=120)
    [seats] = {way.seats for need in advice.needs for way in need.ways[:1]}
    [row] = [line for line in text.splitlines() if line.startswith("›")]
    assert re.split(r"\s{2,}", row)[2] == str(seats)


def test_nothing_on_sale_is_said(advice: FleetAdvice) -> None:
    """That no purchase helps is an answer too."""
    needs = tuple(msgspec.structs.replace(need, missing=3, ways=()) for need in advice.needs)
    cannot = msgspec.structs.replace(advice, needs=needs, is_complete=False)
    assert "nothing on sale" in fleet_page(cannot, ENGLISH, made="2026-11-22").verdict.text


def test_the_slow_one_is_named(advice: FleetAdvice) -> None:
    """By its label, for the administrator to find."""
    page = fleet_page(advice, ENGLISH, made="2026-11-22")
    [bullets] = next(section.blocks for section in page.sections if section.id == "slow")
    assert isinstance(bullets, Bullets)
    assert [item.lead for item in bullets.items] == ["pc-04"]


def test_what_can_be_mended_is_said_with_how(advice: FleetAdvice) -> None:
    """That arithmetic is the limit is how it should be, and holds nobody back."""
    [first, *others] = advice.groups
    group = msgspec.structs.replace(first, findings={"compute_bound": 9, "on_battery": 2})
    page = fleet_page(msgspec.structs.replace(advice, groups=(group, *others)), ENGLISH, made="2026-11-22")
    [bullets] = next(section.blocks for section in page.sections if section.id == "mend")
    assert isinstance(bullets, Bullets)
    assert [item.text for item in bullets.items if item.lead == group.title] == [
        "On battery: 2 of 10. Plug the laptop in, with its own charger."
    ]


def test_every_group_and_computer_has_a_row(advice: FleetAdvice) -> None:
    """The groups stand open, the computers folded."""
    page = fleet_page(advice, ENGLISH, made="2026-11-22")
    blocks = {section.id: section.blocks for section in page.sections}
    [groups] = blocks["groups"]
    assert isinstance(groups, Table)
    assert [row[1] for row in groups.rows] == ["10", "1"]
    fold = blocks["computers"][-1]
    assert isinstance(fold, Fold)
    assert len(fold.table.rows) == 11
    assert fold.title == "11 computers"
    assert fold.table.header[2] == "Time beside its equals"


def test_words_that_are_not_on_the_page_are_not_explained(advice: FleetAdvice) -> None:
    """Nor is a column kept for computers none of which has equals."""
    alone = tuple(msgspec.structs.replace(one, pace_ratio=None, is_slow=False) for one in advice.computers)
    met = tuple(msgspec.structs.replace(need, people=need.seats, missing=0) for need in advice.needs)
    said = []
    for one in (advice, msgspec.structs.replace(advice, computers=alone, needs=met)):
        blocks = {section.id: section.blocks for section in fleet_page(one, ENGLISH, made="2026-11-22").sections}
        fold, [reading] = blocks["computers"][-1], blocks["reading"]
        assert isinstance(fold, Fold)
        assert isinstance(reading, Bullets)
        said.append((len(fold.table.header), [item.text.partition(":")[0] for item in reading.items]))
    assert [(columns, len(items)) for columns, items in said] == [(5, 4), (4, 1)]
    assert said[1][1] == ["Enough"]


@pytest.mark.parametrize("language", [ENGLISH, SPANISH])
def test_every_format_says_the_verdict(advice: FleetAdvice, language: Language) -> None:
    """Text, Markdown and HTML, in both languages."""
    page = fleet_page(advice, language, made="2026-11-22")
    for text in (text_page(page, width=300), markdown_page(page), html_page(page, language)):
        assert page.verdict.text.split(".")[0] in text


def test_the_table_is_for_spreadsheets_and_harmless(advice: FleetAdvice) -> None:
    """Plain numbers; what begins like a formula is only text."""
    rows = list(csv.DictReader(io.StringIO(fleet_csv(advice))))
    assert len(rows) == 22
    assert {row["state"] for row in rows} <= {"enough", "slow", "does_not_fit", "unknown"}
    assert "'=1+1" in {row["name"] for row in rows}
    assert [row["name"] for row in rows if row["is_slow"] == "yes"] == ["pc-04"] * 2
    timed = [row for row in rows if row["hours"]]
    assert timed
    assert all(float(row["hours_low"]) <= float(row["hours"]) <= float(row["hours_high"]) for row in timed)
