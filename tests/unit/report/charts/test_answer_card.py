"""The picture of the answer: what is on it, and that all of it is inside."""

import re
import xml.etree.ElementTree as ET
from itertools import pairwise

import msgspec
import pytest

from advisor.locale import Language, language
from advisor.records.job.advice import Tier
from advisor.records.results.report import Report
from advisor.report.charts.answer_card import HEIGHT, WIDTH, _last_lines, _legend, _wrapped, answer_card
from advisor.report.content.answer import answer
from advisor.report.words.advice.costs import line_title, shown_lines
from advisor.report.words.advice.run_time import time_sentence
from advisor.report.words.advice.verdict import confidence_sentence
from advisor.report.words.quantities import duration
from tests.unit.report.samples import every, slowed

EN, ES = language("en"), language("es")
_TEXT = "{http://www.w3.org/2000/svg}text"


def texts(report: Report, spoken: Language) -> list[ET.Element]:
    """Return the texts of the picture."""
    return list(ET.fromstring(answer_card(report, spoken)).iter(_TEXT))


@pytest.mark.parametrize("spoken", [EN, ES], ids=["en", "es"])
@pytest.mark.parametrize("name", sorted(every()))
def test_it_says_how_sure_and_when(name: str, spoken: Language) -> None:
    """In the last line, with a date of the language, whatever the answer is."""
    said = [one.text or "" for one in texts(every()[name], spoken)]

    assert confidence_sentence(every()[name], spoken) in said
    assert any(one.startswith("advisor · ") and "2026" in one for one in said)


@pytest.mark.parametrize("spoken", [EN, ES], ids=["en", "es"])
@pytest.mark.parametrize("name", ["rent", "buy"])
def test_it_says_what_must_be_known_to_read_it_rightly(name: str, spoken: Language) -> None:
    """A friend saw "Your computer is enough" without that its speed is not known, and a rent without its start."""
    report = every()[name]
    options = [msgspec.structs.replace(one, before_s=720.0 if one.offer else 0.0) for one in report.advice.options]
    advice = msgspec.structs.replace(report.advice, options=tuple(options))
    report = msgspec.structs.replace(report, advice=advice, benchmark=None)
    said = " ".join(one.text or "" for one in texts(report, spoken)).replace("\xa0", " ")

    notes = answer(report, spoken).notes
    assert notes
    assert all(note.text.replace("\xa0", " ") in said for note in notes)
    assert {EN: "+ 12 minutes until it starts", ES: "+ 12 minutos hasta que arranca"}[spoken] in said


@pytest.mark.parametrize("spoken", [EN, ES], ids=["en", "es"])
def test_each_cost_has_its_time_beside_it(spoken: Language) -> None:
    """A friend saw $373 for a card against $0.31 and no reason: 3 hours here against 2½ minutes."""
    report = slowed(0.9, 0.9)
    said = [(one.get("y"), one.text or "") for one in texts(report, spoken)]
    lines = shown_lines(report)
    assert len(lines) == 3
    for line, option in lines:
        assert option.run_s is not None
        [row] = [y for y, words in said if words == line_title(line, option, spoken)]
        assert (row, duration(option.run_s, spoken)) in said
    picture = " ".join(words for _y, words in said).replace("\xa0", " ")
    assert time_sentence(report, spoken).replace("\xa0", " ") in picture


@pytest.mark.parametrize("spoken", [EN, ES], ids=["en", "es"])
def test_a_friend_does_not_read_of_a_computer_of_his_own(spoken: Language) -> None:
    """It told whoever got it "Your computer is probably enough", of a computer that was not theirs."""
    for report in (*every().values(), slowed(0.9, 0.9)):
        said = " ".join(one.text or "" for one in texts(report, spoken))
        assert not re.search(r"\b(your|tu) (computer|laptop|equipo|portátil)", said, re.IGNORECASE)


def test_each_tier_has_its_shape_here_as_well() -> None:
    """All marks were circles: nobody could tell them apart without the colours."""
    shown = list(ET.fromstring(answer_card(every()["rent"], EN)).iter())
    shapes = {one.get("class", "").split()[-1]: one.tag.rpartition("}")[2] for one in shown if one.get("class")}

    assert (shapes["this_computer"], shapes["single_gpu"]) == ("circle", "polygon")
    corners = {one.get("class"): one.get("points") for one in shown if one.tag.endswith("polygon")}
    assert {"mark single_gpu", "mark cloud"} <= corners.keys()


def test_the_date_does_not_lie_on_how_sure_it_is() -> None:
    """In Spanish "hasta 5 veces más)" and "advisor · 24 de noviembre de 2026" overlapped."""
    for sure, is_below in (
        ("Fiabilidad: buena", False),
        ("Fiabilidad: orientativa (de 30 minutos a 4 horas y media)", True),
    ):
        body: list[str] = []
        height = _last_lines(body, sure, "advisor · 24 de noviembre de 2026", HEIGHT - 28.0)
        above, below = (float(ET.fromstring(one).get("y", "0")) for one in body)
        assert (below > above) == is_below
        assert height > below


@pytest.mark.parametrize("name", sorted(every()))
def test_no_line_lies_on_another(name: str) -> None:
    """Whatever the length of question and verdict, lines at the left keep their distance and stay inside."""
    found = [one for one in texts(every()[name], ES) if one.get("text-anchor") == "start"]
    rows = sorted({(float(one.get("y", "0")), float(one.get("font-size", "0"))) for one in found})
    height = float(ET.fromstring(answer_card(every()[name], ES)).get("viewBox", "").split()[3])

    assert height >= HEIGHT
    assert all(0 < y < height for y, _size in rows)
    for (above, _size), (below, size) in pairwise(rows):
        assert below - above >= 0.9 * size


@pytest.mark.parametrize(("report", "spoken"), [(slowed(0.3, 0.3), EN), (every()["enough"], ES)], ids=["en", "es"])
def test_notes_take_the_empty_room_before_the_picture_grows(report: Report, spoken: Language) -> None:
    """With a word on other programs it was 1200 x 732, and a part of it was blank above the bar: previews cut it."""
    root = ET.fromstring(answer_card(report, spoken))
    assert root.get("viewBox") == f"0 0 {WIDTH} {HEIGHT}"


def test_a_long_question_is_cut_and_not_drawn_beyond_the_edge() -> None:
    """Nor does a name of the user's become a part of the picture."""
    report = every()["rent"]
    workload = msgspec.structs.replace(report.workload, title="<g/> " + "word " * 80)
    found = texts(msgspec.structs.replace(report, workload=workload, titles={}), EN)

    assert max(len(one.text or "") for one in found) < WIDTH / 5
    assert any((one.text or "").endswith("…") for one in found)


def test_it_names_no_computer() -> None:
    """The label of a room's computer is for its own report alone."""
    report = msgspec.structs.replace(every()["enough"], label="room-3-pc-07")

    assert "room-3" not in answer_card(report, EN)


def test_no_time_is_cut_off_below_the_bar() -> None:
    """Spanish says "2 minutos y medio": of the last of three "2 minutos y…" was left."""
    names: tuple[tuple[Tier, str], ...] = (
        ("this_computer", "Este equipo, 11 horas"),
        ("cloud", "RTX A4000, 4 minutos y medio"),
        ("single_gpu", "RTX 3050 6GB, 2 minutos y medio"),
    )
    body: list[str] = []
    _legend(body, names, 258)

    assert all(f">{words}<" in "".join(body) for _tier, words in names)


def test_no_line_ends_between_a_number_and_what_it_counts() -> None:
    """The picture said "the most likely: 11", and "hours" in the next line."""
    lines = _wrapped("Un entrenamiento tarda entre 70 minutos y 14 horas (lo más probable: 11 horas).", 13.5, 2)

    assert len(lines) == 2
    assert not lines[0][-1].isdigit()
