"""Is another part worth it: answered from what holds the job back."""

import re

import msgspec
import pytest

from advisor.catalog import find_device, find_workload
from advisor.errors import UnknownNameError
from advisor.locale import Language, language
from advisor.options.what_if import exchange_parts
from advisor.records.hardware.machine import Accelerator, Disk
from advisor.records.job.changes import WhatIf
from advisor.records.job.workload import Circumstances
from advisor.records.request import Observation
from advisor.records.results.report import Report
from advisor.report.content.blocks import Bullets
from advisor.report.content.options.option_rows import option_row
from advisor.report.content.options.what_if import what_if, what_if_lines, worth_verdict
from advisor.report.provenance.predictions import of_time
from advisor.report.words import quantities
from advisor.report.words.labels import amount
from advisor.session.forecast import conclude
from advisor.session.upgrade_worth import check_question, worth
from advisor.units import GIB, HOUR_S
from tests.unit.benchmark.diagnosed import machine
from tests.unit.report import samples

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


def test_a_first_card_is_among_what_helps_a_computer_without_one() -> None:
    """Of such a computer it was said that no part would make a run clearly shorter, beside a card of half a minute."""
    report = conclude(Observation(machine=machine()), find_workload("article_cnn").workload, Circumstances())
    first, *_others = found = worth(report, "upgrade")
    assert first.kind == "card"
    assert first.then_s is not None
    assert first.now_s is not None
    assert first.then_s < first.now_s / 5
    said = msgspec.structs.replace(report, what_if=found)
    assert worth_verdict(said, language("en")).startswith(f"This would help most: {first.name} ")


def test_a_card_behind_a_slow_disk_is_said_to_bring_nothing(photos: Report) -> None:
    """Its price is named, and what would be better for the money does it clearly sooner for no more."""
    [one] = worth(photos, "RTX 5090")
    asked = msgspec.structs.replace(photos, what_if=(one,))
    _verdict, block = what_if(asked, language("en")).blocks
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


def test_what_no_computer_of_its_kind_takes_is_said_not_weighed() -> None:
    """No second card and no other processor for a laptop; no second card without a first."""
    laptop = machine(CARD)
    laptop = msgspec.structs.replace(laptop, host=msgspec.structs.replace(laptop.host, form_factor="laptop"))
    report = conclude(Observation(machine=laptop), find_workload("bert_finetuning").workload, Circumstances())
    assert {one.kind for one in worth(report, "upgrade")} == {"memory", "disk"}
    for question, said in (("second card", "A second card"), ("more cores", "Twice the processor cores")):
        asked = msgspec.structs.replace(report, what_if=worth(report, question))
        assert [one.text for [one] in what_if_lines(asked, language("en"))] == [f"{said}: does not fit a laptop."]
    bare = conclude(Observation(machine=machine()), find_workload("bert_finetuning").workload, Circumstances())
    assert [one.barred for one in worth(bare, "second card")] == ["no_card"]


def test_more_cores_come_with_as_many_more_loading_processes() -> None:
    """Where the job says how many load, twice the cores alone would bring nothing; by hand half the time."""
    job = msgspec.structs.replace(find_workload("article_cnn").workload, loaders=4)
    here = machine(CARD)
    cpu = msgspec.structs.replace(here.host.cpu, physical_cores=2, logical_cores=4, usable_cores=4.0)
    here = msgspec.structs.replace(here, host=msgspec.structs.replace(here.host, cpu=cpu))
    report = conclude(Observation(machine=here), job, Circumstances())
    [one] = worth(report, "more cores")
    assert one.limit == "input"
    assert one.loaders == 8
    assert one.now_s is not None
    assert one.then_s == pytest.approx(one.now_s / 2, rel=0.1)
    ready_made = conclude(Observation(machine=here), msgspec.structs.replace(job, loaders=12), Circumstances())
    assert [one.loaders for one in worth(ready_made, "more cores")] == [0]


def test_better_for_the_money_is_the_cheapest_that_is_clearly_sooner(photos: Report) -> None:
    """One machine before eight, and not the quickest that the same money could rent."""
    [one] = worth(photos, "RTX 5090")
    better = next(option for option in photos.advice.options if option.id == one.better)
    assert better.device_count == 1
    text = told(photos, "RTX 5090")
    assert "Better for the money: " in text


def test_a_card_is_said_to_be_in_this_computer_or_in_a_new_one() -> None:
    """A laptop takes none, so that its price is that of a computer, too; a desktop takes it."""
    desktop = machine(CARD)
    laptop = msgspec.structs.replace(desktop, host=msgspec.structs.replace(desktop.host, form_factor="laptop"))
    for here, where in ((desktop, "in this computer"), (laptop, "in a new PC")):
        report = conclude(Observation(machine=here), find_workload("article_cnn").workload, Circumstances())
        asked = msgspec.structs.replace(report, what_if=worth(report, "RTX 5090"))
        [[gain, *_others]] = what_if_lines(asked, language("en"))
        assert gain.text.startswith(f"GeForce RTX 5090 {where}: ")


def test_what_is_asked_is_answered_in_a_sentence_first(photos: Report) -> None:
    """Yes or no before the reasons: a part that changes nothing, one that cannot be, one that helps."""
    english = language("en")
    said = {
        question: worth_verdict(msgspec.structs.replace(photos, what_if=worth(photos, question)), english)
        for question in ("RTX 5090", "second card", "faster disk", "upgrade")
    }
    assert said["RTX 5090"] == said["second card"] == "No.", "a slow disk holds it back; no computer without a card"
    assert said["faster disk"] != "No."
    assert said["upgrade"] == "This would help most: A solid-state drive (NVMe)."


def test_better_for_the_money_is_not_what_fewer_programs_run_on() -> None:
    """A V100, which current builds have no code for, was better here and not the best rent on the same page."""
    job = msgspec.structs.replace(
        find_workload("vit_base").workload, samples=100_000, epochs=20.0, epochs_are_default=False, precision="amp"
    )
    report = conclude(Observation(machine=machine(CARD)), job, Circumstances(runs_per_month=20.0, country="ES"))
    [found] = worth(report, "second card")
    chosen = next((one for one in report.advice.options if one.id == found.better), None)
    assert chosen is None or not find_device(chosen.device).is_less_supported
    assert any(find_device(one.device).is_less_supported and one.feasible for one in report.advice.options)


def told(report: Report, question: str) -> str:
    """Return all that is said of the parts that are asked about."""
    said = msgspec.structs.replace(report, what_if=worth(report, question))
    sentences = (one.text for line in what_if_lines(said, language("en")) for one in line)
    return " ".join((worth_verdict(said, language("en")), *sentences))


def desktop(report: Report) -> Report:
    """Return the answer for a computer that takes parts."""
    host = msgspec.structs.replace(report.machine.host, form_factor="desktop")
    return msgspec.structs.replace(report, machine=msgspec.structs.replace(report.machine, host=host))


HARD_DISK = Disk(kind="hdd", free_bytes=500 * GIB)


def on_disk(report: Report, disk: Disk) -> Report:
    """Return the answer for a desktop computer with that disk."""
    here = desktop(report)
    return msgspec.structs.replace(
        here, machine=msgspec.structs.replace(here.machine, host=msgspec.structs.replace(here.machine.host, disk=disk))
    )


@pytest.mark.parametrize("question", ["more cores", "faster disk", "RTX 5090", "upgrade"])
def test_beside_other_programs_no_part_is_said_to_bring_nothing(question: str) -> None:
    """They had 87 % of the processor; "No. Twice the processor cores: hardly any difference" stood on the same page."""
    said = told(on_disk(samples.slowed(0.9, 0.9), HARD_DISK), question)
    assert said.startswith("We cannot tell yet: close other programs and check again.")
    assert "will be known after a check without other programs" in said
    assert not any(words in said for words in ("hardly any difference", "holds it back", "instead of", "renting"))
    sure = told(desktop(samples.slowed(0.2, 0.2)), question)
    assert "tell yet" not in sure
    assert "will be known" not in sure


def test_what_rests_on_a_slowed_check_says_so() -> None:
    """It said that twice the cores change hardly anything, beside "close other programs: up to 3.1 times as fast"."""
    slowed, quiet = (desktop(samples.slowed(ratio, ratio)) for ratio in (0.62, 0.2))
    slow = "The current time is based on a check that other programs slowed; without them it may be shorter."
    assert "hardly any difference" in told(quiet, "more cores")
    assert told(slowed, "more cores").endswith(
        "Twice the processor cores: what it brings will be known after a check without other programs."
    )
    assert slow in told(slowed, "RTX 5090")
    assert slow not in told(quiet, "RTX 5090")
    assert told(slowed, "more memory").startswith("No. Twice the main memory: no difference, since the job takes")
    assert told(slowed, "upgrade").startswith("This would help most: GeForce")
    cards = [one for name in ("RTX 5090", "RTX 5080") for one in worth(slowed, name)]
    lines = what_if_lines(msgspec.structs.replace(slowed, what_if=tuple(cards)), language("en"))
    assert [sum(one.text == slow for one in line) for line in lines] == [1, 0], "it stood beside each card"


def test_the_time_of_a_card_is_told_beside_other_programs_too() -> None:
    """Only what it is compared with was disturbed: "cannot be told" stood above "14 minutes" with that card."""
    report = desktop(samples.slowed(0.9, 0.9))
    asked = msgspec.structs.replace(report, what_if=worth(report, "RTX 5090"))
    sold = next(one for one in report.advice.options if one.id == "buy/GeForce RTX 5090")
    [[time, gain, *_others]] = what_if_lines(asked, language("en"))
    assert sold.run_s is not None
    row = option_row(sold, report, language("en"))
    assert row.interval
    assert time.text == f"GeForce RTX 5090 in a new PC: {row.time} ({row.interval}) a run.", "with its range"
    quiet = msgspec.structs.replace(desktop(samples.enough()), what_if=worth(desktop(samples.enough()), "RTX 5090"))
    [[said, *_rest]] = what_if_lines(quiet, language("en"))
    assert re.search(r" \(\S+.* to .+\) a run instead of ", said.text), said.text
    assert time.origin == of_time(sold, report, language("en"))
    assert gain.text.startswith("How much time that saves will be known")
    assert "the price includes a new PC" in told(report, "RTX 5090")


def test_what_is_known_without_a_check_is_told_beside_other_programs_too() -> None:
    """The job took 1.2 of 24 GB, and what twice the memory brings was not to be told."""
    report = desktop(samples.slowed(0.9, 0.9))
    [own] = (one.prediction.memory for one in report.advice.options if one.id == "here/cpu" and one.prediction)
    assert own is not None
    taken, whole = (quantities.memory(size or 0.0, language("en")) for size in (own.total_bytes, own.available_bytes))
    assert told(report, "more memory") == (
        f"No. Twice the main memory: no difference, since the job takes {taken} of {whole}."
    )
    assert told(report, "faster disk") == "No. A solid-state drive (NVMe): there is one already."


def test_memory_that_might_keep_pictures_of_a_slow_disk_is_not_settled() -> None:
    """How much that saves rests on how fast the processor is."""
    slow = on_disk(samples.slowed(0.9, 0.9), HARD_DISK)
    for kind, begin in (("jpeg", "We cannot tell yet"), ("memory", "No.")):
        job = msgspec.structs.replace(slow.workload, input_kind=kind)
        assert told(msgspec.structs.replace(slow, workload=job), "more memory").startswith(begin)


def test_a_server_s_module_is_no_card_for_a_desk(photos: Report) -> None:
    """The owner of a desktop computer was told "H100 SXM5 80GB in this computer: yes, it would help"."""
    said = told(photos, "H100")
    assert said.startswith("No.")
    assert "it is made for servers" in said
    host = msgspec.structs.replace(photos.machine.host, form_factor="server")
    server = msgspec.structs.replace(photos, machine=msgspec.structs.replace(photos.machine, host=host))
    assert "made for servers" not in told(server, "H100")


def test_one_run_saves_nothing_a_month() -> None:
    """Half a minute of one run "saved 2 seconds a month", and was called what would help most."""
    job = msgspec.structs.replace(find_workload("resnet50_imagenet").workload, samples=10**5, epochs=1.0)
    once = Circumstances(runs_per_month=1 / 24)
    report = conclude(Observation(machine=machine(CARD)), job, once)
    said = told(report, "upgrade")
    assert "a month" not in said
    assert "help most" not in said


def test_who_has_two_cards_is_told_of_one_more() -> None:
    """A "second" card was offered to who has two."""
    other = msgspec.structs.replace(CARD, index=1)
    job = find_workload("resnet50_imagenet").workload
    report = conclude(Observation(machine=machine(CARD, other)), job, Circumstances())
    assert "One more GeForce RTX 3060 12GB" in told(report, "second card")
    alone = conclude(Observation(machine=machine(CARD)), job, Circumstances())
    assert "A second GeForce RTX 3060 12GB" in told(alone, "second card")


def test_a_card_in_a_new_computer_says_why_and_what_it_would_do_in_this_one() -> None:
    """Beside "14 minutes" in the whole answer with the card put in, "2½ minutes for EUR 1,000" read like another."""
    desktop = machine()
    in_container = msgspec.structs.replace(desktop, host=msgspec.structs.replace(desktop.host, isolation="container"))
    report = conclude(Observation(machine=in_container), find_workload("article_cnn").workload, Circumstances())
    sold = next(option for option in report.advice.options if option.id == "buy/GeForce RTX 5090")
    asked = msgspec.structs.replace(report, what_if=worth(report, "RTX 5090"))
    [one] = asked.what_if
    again = conclude(
        exchange_parts(Observation(machine=in_container), "GeForce RTX 5090"), report.workload, report.circumstances
    )
    assert one.here_s == min(o.run_s or 1e9 for o in again.advice.options if o.tier == "this_computer")
    assert one.card_usd == sold.purchase_usd - sold.host_usd
    [line] = what_if_lines(asked, language("en"))
    gain, price, put_in, *_others = line
    assert "runs inside a container" in put_in.text
    assert f"the card alone ({amount(one.card_usd, asked, language('en'))})" in put_in.text
    assert gain.origin is not None
    assert gain.origin.value in gain.text
    assert price.origin is not None
    assert price.origin.value in price.text
    now = next(option for option in report.advice.options if option.run_s == one.now_s)
    assert of_time(now, report, language("en")).value in dict(gain.origin.inputs).values()


@pytest.mark.parametrize("isolation", ["none", "container"])
@pytest.mark.parametrize(("job", "is_fed"), [("resnet50_imagenet", True), ("bert_base", False)])
def test_a_card_that_waits_for_the_data_of_this_computer_says_so(isolation: str, job: str, is_fed: bool) -> None:
    """A card alone took as long as the computer did without one, and nothing said that two cores load its photos."""
    desktop = machine()
    cpu = msgspec.structs.replace(desktop.host.cpu, usable_cores=2)
    host = msgspec.structs.replace(desktop.host, cpu=cpu, isolation=isolation)
    here = msgspec.structs.replace(desktop, host=host)
    report = conclude(Observation(machine=here), find_workload(job).workload, Circumstances())
    asked = msgspec.structs.replace(report, what_if=worth(report, "RTX 5090"))
    said = " ".join(one.text for line in what_if_lines(asked, language("en")) for one in line)
    assert ("would be enough" in said) == (isolation == "container"), "the card alone beside one in a new PC"
    assert ("No other card would finish sooner in this computer: its 2 cores load" in said) == is_fed


def test_a_computer_that_takes_no_card_is_told_so() -> None:
    """Of a laptop nobody asks whether there is a place; of an unknown case one does."""
    here = machine(CARD)
    for form_factor, said in (("laptop", "does not fit a laptop."), ("server", "cannot see whether a card fits")):
        host = msgspec.structs.replace(here.host, form_factor=form_factor)
        of_kind = msgspec.structs.replace(here, host=host)
        report = conclude(Observation(machine=of_kind), find_workload("article_cnn").workload, Circumstances())
        assert said in told(report, "RTX 5090")


@pytest.mark.parametrize("spoken", [language("en"), language("es")], ids=["en", "es"])
@pytest.mark.parametrize(
    ("now_s", "then_s", "saved"),
    [
        (3.7 * HOUR_S, 1.6 * HOUR_S, {"en": "which saves 2 hours a month", "es": "ahorra 2 horas al mes"}),
        (2700, 150, {"en": "which saves 43 minutes a month", "es": "ahorra 43 minutos al mes"}),
        (3.7 * HOUR_S, 400, {"en": "saves almost 3½ hours a month", "es": "ahorra casi 3 horas y media al mes"}),
        (
            3.8 * HOUR_S,
            4.2 * HOUR_S,
            {"en": "hardly any difference, 4 hours a run", "es": "casi ninguna diferencia, 4 horas cada vez"},
        ),
    ],
)
def test_what_a_part_saves_is_what_the_times_beside_it_say(
    photos: Report, spoken: Language, now_s: float, then_s: float, saved: dict[str, str]
) -> None:
    """It "saves 3½ hours a month" of 3½ hours, and "slower" were 4 hours instead of 4 hours."""
    one = WhatIf(
        kind="memory", now_s=now_s, then_s=then_s, limit="input", saved_s=now_s - then_s, price_usd=None,
        pays_months=None, better=None,
    )  # fmt: skip
    monthly = msgspec.structs.replace(photos, what_if=(one,), circumstances=Circumstances(runs_per_month=1.0))
    [[said, *_others]] = what_if_lines(monthly, spoken)
    assert saved[spoken.code] in said.text.replace("\N{NO-BREAK SPACE}", " ")


def _on_two_cores() -> Report:
    """Return what was measured on a server of two cores."""
    report, replace = samples.slowed(0.2, 0.2), msgspec.structs.replace
    cpu = replace(report.machine.host.cpu, name="AMD EPYC", physical_cores=2, logical_cores=2, usable_cores=2.0)
    host = replace(report.machine.host, cpu=cpu, form_factor="server")
    return replace(report, machine=replace(report.machine, host=host))


def test_more_cores_help_a_job_that_was_measured_on_few() -> None:
    """Its measured step was taken for that of twice the cores, too: "hardly any difference" on a server of two."""
    [one] = worth(_on_two_cores(), "more cores")
    assert one.now_s is not None
    assert one.then_s is not None
    assert 0.5 < one.then_s / one.now_s < 0.7


@pytest.mark.parametrize("part", ["more cores", "more memory"])
def test_the_time_of_what_is_only_thought_of_is_not_told_as_measured(part: str) -> None:
    """The number with twice the cores opened the card of the time of now: "Based on: measured here"."""
    report = _on_two_cores()
    [[gain, *_rest]] = what_if_lines(msgspec.structs.replace(report, what_if=worth(report, part)), language("en"))
    now = of_time(report.advice.options[0], report, language("en"))
    assert now.basis == "measured here"
    assert gain.origin is not None
    assert gain.origin.value in gain.text
    assert gain.origin.basis == "worked out: this computer was not measured with it"
    assert f"{now.value} (measured here)" in dict(gain.origin.inputs).values()


def test_a_price_of_a_part_names_its_currency_and_whose_it_is() -> None:
    """«$18,600» stood there in Mexico, where it is read as pesos of a shop round the corner."""
    asked = Circumstances(currency="MXN", country="MX")
    report = conclude(Observation(machine=machine()), find_workload("article_cnn").workload, asked)
    report = msgspec.structs.replace(report, what_if=worth(report, "RTX 5060 Ti"))
    said = " ".join(one.text for line in what_if_lines(report, Language("es", "es_MX")) for one in line)
    plain = said.replace("\N{NO-BREAK SPACE}", " ")
    assert "MXN (precio de EE. UU., sin impuestos)" in plain
