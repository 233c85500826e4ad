"""Every ready-made job has its card, its picture and its heading."""

import msgspec

from advisor.catalog import presets
from advisor.gui.models.job.job_cards import CARDS, cards, found_by, more_cards
from advisor.locale import language
from advisor.resource import resource_path

EN = language("en")


def test_every_card_of_the_first_screen_has_its_job() -> None:
    """The cards are shown before the catalogue is read, so each must be in it."""
    known = {preset.workload.id for preset in presets()}

    assert {row[0] for row in CARDS} <= known


def test_every_job_is_on_a_card() -> None:
    """Each ready-made job is on the first screen or behind the last card, once."""
    ids = [card.preset_id for card in (*cards(EN), *more_cards(presets(), EN)) if card.preset_id]

    assert sorted(ids) == sorted(preset.workload.id for preset in presets())


def test_no_two_jobs_share_a_picture() -> None:
    """One is found again by its picture; each is a drawing that is there."""
    shown = [card.picture for card in (*cards(EN), *more_cards(presets(), EN))]
    assert len(shown) == len(set(shown))
    assert all(resource_path("icons", f"{name}.svg").is_file() for name in shown)


def test_the_other_jobs_stand_under_headings_of_their_kind() -> None:
    """Each heading once, and every job of the catalogue under one; what nobody grouped stands at the end."""
    groups = [card.group for card in more_cards(presets(), EN)]
    runs = [group for place, group in enumerate(groups) if place == 0 or groups[place - 1] != group]
    assert len(runs) == len(set(runs)) > 5
    assert "Further jobs" not in runs
    first, *others = presets()
    strange = msgspec.structs.replace(first, workload=msgspec.structs.replace(first.workload, id="strange"))
    assert [card.group for card in more_cards([strange, *others], EN)][-1] == "Further jobs"


def test_a_job_is_found_by_the_words_of_its_card() -> None:
    """All of them, in any order and case, also those of its heading."""
    found = [card.preset_id for card in more_cards(presets(), EN) if found_by(card, "  photos YOLO ")]
    assert found == ["yolo_photos"]
    speech = {card.preset_id for card in more_cards(presets(), EN) if found_by(card, "speech")}
    assert {"whisper_finetuning", "wav2vec2_finetuning"} <= speech
    assert not any(found_by(card, "photos xyzzy") for card in more_cards(presets(), EN))
