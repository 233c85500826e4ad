"""The sections behind the answer."""

import msgspec

from advisor.catalog import preset
from advisor.locale import language
from advisor.records.base import Gap, Source
from advisor.records.hardware.machine import Accelerator
from advisor.records.job.workload import EpochRange
from advisor.records.results.measured.measurement import Condition
from advisor.records.results.report import Report
from advisor.report.content import sections
from advisor.report.content.blocks import Bullets, Fold, Pairs, Paragraph, Section, Table
from advisor.report.words.samples import samples_phrase
from tests.unit.report import samples

EN, ES = language("en"), language("es")


def _texts(section: Section) -> list[str]:
    found: list[str] = []
    for block in section.blocks:
        if isinstance(block, Paragraph):
            found.append(block.text)
        elif isinstance(block, Bullets):
            found += [item.text for item in block.items]
        elif isinstance(block, Pairs):
            found += [f"{name}: {value}" for name, value in block.rows]
        elif isinstance(block, Table | Fold):
            table = block.table if isinstance(block, Fold) else block
            found += [" | ".join(row) for row in table.rows]
    return [text.replace("\N{NO-BREAK SPACE}", " ") for text in found]


def _with_host(report: Report, **changes: object) -> Report:
    host = msgspec.structs.replace(report.machine.host, **changes)
    return msgspec.structs.replace(report, machine=msgspec.structs.replace(report.machine, host=host))


def test_the_question_is_repeated() -> None:
    """What, how much, how often, by when, for how much, and where the data stays."""
    assert sections.question(samples.enough(), EN) == (
        "Sort photos into 8 kinds · 18,687 photos · 5 epochs · 1,000 steps an epoch · 2 times a month"
        " · done within 1 day"
    )
    source = Source(title="Usual", date="2026")
    unusual = msgspec.structs.replace(samples.enough(), usual_epochs=EpochRange(low=10.0, high=25.0, source=source))
    assert " · 5 epochs (10 to 25 are usual) · " in sections.question(unusual, EN)
    asked = msgspec.structs.replace(
        samples.classical().circumstances, budget_usd=4000.0, data_must_stay=True, runs_per_month=0.5
    )
    text = sections.question(msgspec.structs.replace(samples.classical(), circumstances=asked), EN)
    assert text == (
        "Gradient boosting on a table · 50,000 rows · once in 2 months · no deadline given (1 week assumed)"
        " · for up to $4,000 · data stays here"
    )


def test_how_often_is_said_as_people_say_it() -> None:
    """Once a month, once a year, once in two years, three times a month."""
    spoken = []
    for often in (1.0, 1 / 12, 1 / 24, 3.0):
        asked = msgspec.structs.replace(samples.classical().circumstances, runs_per_month=often)
        report = msgspec.structs.replace(samples.classical(), circumstances=asked)
        spoken.append(sections.question(report, EN).split(" · ")[2])
    assert spoken == ["once a month", "once a year", "once", "3 times a month"]


def test_what_the_title_counts_is_not_counted_again() -> None:
    """«Ajuste fino de BERT-base con 100.000 textos · 100.000 textos»; where another number was asked, it is told."""
    for name, code, left_out in (
        ("bert_finetuning", "en", "100,000 texts ·"),
        ("bert_finetuning", "es", "100.000 textos"),
        ("yolo_photos", "es", "2000 fotos ·"),
        ("resnet50_imagenet", "en", "· 90 epochs"),
    ):
        known = preset(name)
        report = msgspec.structs.replace(samples.enough(), workload=known.workload, titles=known.titles)
        line = sections.question(report, language(code))
        assert left_out not in line.replace(known.titles[code], ""), line
        assert line.startswith(known.titles[code])
        fewer = msgspec.structs.replace(known.workload, samples=known.workload.samples // 10)
        changed = sections.question(msgspec.structs.replace(report, workload=fewer), language(code))
        assert samples_phrase(fewer, language(code)) in changed


def test_a_job_is_called_as_its_language_calls_it() -> None:
    """The preset's title in the user's language, else the user's own."""
    named = msgspec.structs.replace(samples.enough(), titles={"es": "Clasificar fotos"})
    assert sections.workload_title(named, language("es")) == "Clasificar fotos"
    assert sections.workload_title(named, EN) == "Sort photos into 8 kinds"


def test_measurements_come_with_conditions_and_failures() -> None:
    """What was measured, what may have spoiled it, what failed and why."""
    texts = _texts(sections.measurements(samples.enough(), EN))
    assert "10 measurements in 41 seconds. PyTorch 2.13.0." in texts
    assert "Other programs used 12% of the processor." in texts
    assert "Matrix product 8192 × 8192, fp32, on the graphics card: does not fit in memory." in texts
    assert any(text.startswith("Training CNN, batch 32, fp32, on the processor | 413 ms a step") for text in texts)


def test_each_measurement_says_how_many_samples_it_has() -> None:
    """The median of so many, beside its spread."""
    [fold] = [b for b in sections.measurements(samples.enough(), EN).blocks if isinstance(b, Fold)]
    column = fold.table.header.index("Samples")
    counts = [str(len(one.samples_s)) for one in samples.benchmark().measurements]
    assert [row[column] for row in fold.table.rows] == counts


def test_what_further_cards_were_spared_is_said() -> None:
    """The long tests run on the first card only; with one card there is nothing to say."""
    first = samples.benchmark().measurements[-1]
    cards = [
        msgspec.structs.replace(first, case=msgspec.structs.replace(first.case, device=f"cuda:{n}")) for n in (0, 1)
    ]
    texts = []
    for measured in (cards, cards[:1]):
        run = msgspec.structs.replace(samples.benchmark(), suite="full", measurements=tuple(measured), failures=())
        texts.append(_texts(sections.measurements(msgspec.structs.replace(samples.enough(), benchmark=run), EN)))
    assert ["Of several graphics cards, the long tests ran on the first only." in text for text in texts] == [
        True,
        False,
    ]


def test_the_articles_epoch_is_compared() -> None:
    """Seconds per epoch of 1000 batches on both, and the ratio beside the article's."""
    texts = _texts(sections.measurements(samples.enough(), EN))
    [text] = [text for text in texts if "epoch" in text]
    assert "43 seconds on the graphics card" in text
    assert "7 minutes on the processor" in text
    assert "9.6 times" in text
    [alone] = [text for text in _texts(sections.measurements(samples.rent(), EN)) if "epoch" in text]
    assert "on the processor" in alone
    assert "graphics card" not in alone.split("article")[0]


def test_without_measurements_that_is_said() -> None:
    """The section stays, with one sentence."""
    assert _texts(sections.measurements(samples.buy(), EN)) == ["Nothing was measured here."]
    empty = msgspec.structs.replace(samples.benchmark(card=False), measurements=(), conditions=(), environment={})
    report = msgspec.structs.replace(samples.enough(), benchmark=empty)
    assert _texts(sections.measurements(report, EN)) == ["0 measurements in 41 seconds."]


def test_a_condition_of_one_measurement_stands_beside_it() -> None:
    """The remark of its own row."""
    first, *rest = samples.benchmark().measurements
    hot = msgspec.structs.replace(first, conditions=(Condition(kind="throttled", when="during"),), median_s=0.0)
    run = msgspec.structs.replace(samples.benchmark(), measurements=(hot, *rest))
    texts = _texts(sections.measurements(msgspec.structs.replace(samples.enough(), benchmark=run), EN))
    assert any(text.endswith("slowed itself down, for heat or power.") for text in texts)


def test_the_computer_is_described() -> None:
    """System, processor, memory, torch, card."""
    texts = _texts(sections.machine(samples.enough(), EN))
    assert texts == [
        "System: Linux 6.8, laptop",
        "Processor: Intel Core i7-10750H, 6 cores, 12 threads",
        "Memory (RAM): 16 GB",
        "PyTorch: 2.13.0 (cuda)",
        "Graphics card: NVIDIA GeForce RTX 2060, graphics card, 6 GB, driver 560.35.03",
    ]
    assert "Graphics card: none found" in _texts(sections.machine(samples.rent(), EN))


def test_what_narrows_a_computer_is_said() -> None:
    """Containers, fewer cores than the machine has, unknown cores, torch without build or not there."""
    report = _with_host(samples.rent(), isolation="container")
    cpu = msgspec.structs.replace(report.machine.host.cpu, usable_cores=2.5, physical_cores=None)
    texts = _texts(sections.machine(_with_host(report, cpu=cpu), EN))
    assert "System: Linux 6.8, laptop, container" in texts
    assert "Processor: Intel Core i7-10750H, 12 threads, 2.5 of them usable here" in texts
    for version, shown in (("2.9", ["PyTorch: 2.9"]), (None, [])):
        torch = msgspec.structs.replace(report.machine.framework, version=version, built_for=None)
        machine = msgspec.structs.replace(report.machine, framework=torch)
        texts = _texts(sections.machine(msgspec.structs.replace(report, machine=machine), EN))
        assert [text for text in texts if text.startswith("PyTorch")] == shown


def test_a_card_says_what_is_special_about_it() -> None:
    """Shared memory, asleep, given by hand, not used for training."""
    card = Accelerator(
        vendor="intel",
        index=0,
        name="Iris Xe",
        kind="integrated",
        trains=False,
        unified_memory=True,
        is_asleep=True,
        is_overridden=True,
    )
    machine = msgspec.structs.replace(samples.laptop(), accelerators=(card,))
    texts = _texts(sections.machine(msgspec.structs.replace(samples.enough(), machine=machine), EN))
    assert texts[-1] == (
        "Graphics card: Iris Xe, integrated graphics, shares the main memory, asleep, given by hand, "
        "not used for training"
    )


def test_gaps_are_what_could_not_be_found_out() -> None:
    """What does not exist is no gap; equal sentences come once; very many are counted."""
    assert _texts(sections.gaps(samples.enough(), EN)) == [
        "Power limit of the card: this hardware or system does not tell."
    ]
    many = tuple(Gap(field=f"thing_{n}.odd{n}", reason="not_found") for n in range(30))
    texts = _texts(sections.gaps(msgspec.structs.replace(samples.enough(), gaps=many), EN))
    assert len(texts) == sections.MAX_GAPS + 1
    assert texts[-1] == "And 11 more, in the JSON report."


def test_sureness_shows_what_the_time_rests_on() -> None:
    """Basis, interval, limit and parts."""
    texts = _texts(sections.certainty(samples.enough(), EN))
    assert "The time is: scaled from a measurement on this computer" in texts
    assert "One step: 43 ms" in texts
    assert "Where the time goes: arithmetic 30%, waiting for input data 70%" in texts
    assert _texts(sections.certainty(samples.every()["cluster"], EN)) == []


def test_sureness_without_parts() -> None:
    """A prediction without parts has no line about them."""
    report = samples.classical()
    bare = msgspec.structs.replace(
        report.advice.options[0],
        prediction=msgspec.structs.replace(report.advice.options[0].prediction, parts=()),  # type: ignore[type-var]
    )
    advice = msgspec.structs.replace(report.advice, options=(bare,))
    texts = _texts(sections.certainty(msgspec.structs.replace(report, advice=advice), EN))
    assert not [text for text in texts if text.startswith("Where")]


def test_the_reader_learns_the_words() -> None:
    """Intervals, sureness, units."""
    text = " ".join(_texts(sections.how_to_read(samples.enough(), EN)))
    assert "four cases of five" in text
    assert "1024³ bytes" in text


def test_the_colophon_names_program_and_day() -> None:
    """Which version made it, and when."""
    assert sections.colophon(samples.enough(), EN) == "Made by advisor 0.1.0 on Nov 21, 2026."


def test_an_epoch_of_a_table_is_a_tree() -> None:
    """Whoever trains XGBoost counts trees."""
    report = samples.classical()
    report = msgspec.structs.replace(report, workload=msgspec.structs.replace(report.workload, epochs=100.0))
    assert "100 trees" in sections.question(report, EN)
    assert "100 árboles" in sections.question(report, ES)
