"""The sections behind the answer."""

import msgspec
import pytest

from advisor.benchmark import suite_cases
from advisor.locale import language
from advisor.records.base import Gap
from advisor.records.hardware.machine import Accelerator
from advisor.records.results.measurement import Case, Condition, Measurement, Series
from advisor.records.results.report import Report
from advisor.report.content import sections
from advisor.report.content.blocks import Bullets, Fold, Pairs, Paragraph, Section, Table
from advisor.report.single_prediction import prediction_text
from advisor.report.words.cases import case_title, device_phrase, device_title, measurement_phrase, network_title
from advisor.units import GIB
from tests.unit.report import samples
from tests.unit.report.samples import option

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
        "Sort photos into 8 kinds · 18,687 samples, 5 times over · 2 times a month · done within 1 day"
    )
    asked = msgspec.structs.replace(
        samples.classical().circumstances, budget_usd=4000.0, data_must_stay=True, runs_per_month=0.5
    )
    text = sections.question(msgspec.structs.replace(samples.classical(), circumstances=asked), EN)
    assert text == (
        "Gradient boosting on a table · 50,000 samples · once in 2 months · for up to $4,000 · data stays here"
    )


def test_how_often_is_said_as_people_say_it() -> None:
    """Once a month, once a year, once in two years, three times a month."""
    spoken = []
    for often in (1.0, 1 / 12, 1 / 24, 3.0):
        asked = msgspec.structs.replace(samples.classical().circumstances, runs_per_month=often)
        report = msgspec.structs.replace(samples.classical(), circumstances=asked)
        spoken.append(sections.question(report, EN).split(" · ")[2])
    assert spoken == ["once a month", "once a year", "once in 2 years", "3 times a month"]


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
        "Main memory: 16 GB",
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


def _case(program: str, **more: object) -> Case:
    return Case(id="c", program=program, **more)  # type: ignore[arg-type]


def test_cases_have_titles() -> None:
    """Plain words for each program, and for one this version does not know."""
    assert case_title(_case("matmul", size=1024), EN) == "Matrix product 1024 × 1024, fp32, on the processor"
    train = _case("train", network="article_cnn", batch_size=32, device="cuda:0")
    assert case_title(train, EN) == "Training CNN, batch 32, fp32, on the graphics card"
    assert case_title(_case("juggle", device="cuda:1"), EN) == "juggle on graphics card 2"


@pytest.mark.parametrize("value", ["x", float("nan"), float("inf"), -1, 10**400, True])
def test_options_of_files_may_be_anything(value: object) -> None:
    """A report read from a file may hold any text or number; its title is made all the same."""
    for program, name in (("input", "workers"), ("sustained", "duration_s")):
        assert case_title(_case(program, options={name: value}), EN)


def test_devices_have_words() -> None:
    """Torch's names in a sentence and alone."""
    assert [device_phrase(name, EN) for name in ("cpu", "mps", "xpu:0", "cuda:2", "cuda:x")] == [
        "the processor",
        "the graphics card",
        "the graphics card",
        "graphics card 3",
        "graphics card x",
    ]
    assert [device_title(name, EN) for name in ("cpu", "cuda:0", "cuda:1", "cuda:x", "cuda:²", "xla:0")] == [
        "Processor",
        "Graphics card",
        "Graphics card 2",
        "Graphics card x",
        "Graphics card ²",
        "JAX",
    ]
    assert device_phrase("xla:0", EN) == "the device JAX uses"
    assert network_title("vit_base") == "vit base"


def _measured(case: Case, **more: object) -> Measurement:
    return Measurement(case=case, samples_s=(0.5,), median_s=0.5, iqr_s=0.0, **more)  # type: ignore[arg-type]


def test_results_have_phrases() -> None:
    """Steps, rates, shares of the peak, traffic, plain times."""
    phrases = [
        measurement_phrase(_measured(_case("train"), items_per_s=64.0), EN),
        measurement_phrase(_measured(_case("train")), EN),
        measurement_phrase(_measured(_case("matmul"), flop_per_s=9.2e10), EN),
        measurement_phrase(_measured(_case("matmul"), flop_per_s=9.2e10, peak_ratio=0.8), EN),
        measurement_phrase(_measured(_case("bandwidth", bytes_per_iteration=5e9)), EN),
        measurement_phrase(_measured(_case("input"), items_per_s=900.0), EN),
        measurement_phrase(_measured(_case("juggle")), EN),
    ]
    assert [phrase.replace("\N{NO-BREAK SPACE}", " ") for phrase in phrases] == [
        "500 ms a step, 64 samples a second",
        "500 ms a step",
        "92 GFLOP/s",
        "92 GFLOP/s, 80% of the peak",
        "10 GB/s",
        "900 images a second",
        "500 ms",
    ]


def test_no_two_cases_have_the_same_title() -> None:
    """Each line of a full report can be told from every other, in both languages."""
    for lang in (EN, ES):
        titles = [case_title(one, lang) for one in suite_cases()]
        assert len(set(titles)) == len(titles)


THREADS = Series(x="threads", y="flop_per_s", points=((1, 1), (4, 2)))
SWEPT = {"best_batch": 32.0}
BEST = "fastest with batches of 32: 50 samples a second"


@pytest.mark.parametrize(
    ("program", "fields", "phrase"),
    [
        ("launch", {}, "500 ms for each"),
        (
            "threads",
            {"flop_per_s": 2e9, "details": {"gain_ratio": 1.9}, "series": (THREADS,)},
            "2 GFLOP/s with 4 threads, 1.9 times as fast as with one",
        ),
        ("sweep", {"items_per_s": 50.0, "details": SWEPT}, BEST),
        (
            "sweep",
            {"items_per_s": 50.0, "details": SWEPT | {"first_batch_that_does_not_fit": 256.0}},
            f"{BEST}; batches of 256 do not fit in memory",
        ),
        (
            "sweep",
            {"items_per_s": 50.0, "details": SWEPT | {"ended_by_time": 1.0, "largest_batch_that_fits": 64.0}},
            f"{BEST}; time sufficed for batches up to 64",
        ),
        (
            "sustained",
            {"flop_per_s": 2e9, "details": {"lost_ratio": -0.02}},
            "2 GFLOP/s; no slower at the end than at the beginning",
        ),
        (
            "sustained",
            {"flop_per_s": 2e9, "details": {"lost_ratio": 0.2}},
            "2 GFLOP/s; 20% slower at the end than at the beginning",
        ),
        (
            "xla_matmul",
            {"flop_per_s": 2e9, "details": {"is_processor": 1.0}},
            "2 GFLOP/s, computed by the processor",
        ),
    ],
)
def test_results_of_the_full_suite(program: str, fields: dict[str, object], phrase: str) -> None:
    """Each kind of case says what it found, not merely how fast one of its iterations was."""
    said = measurement_phrase(_measured(_case(program), **fields), EN)

    assert said.replace("\N{NO-BREAK SPACE}", " ") == phrase


def _prediction_lines(needed: float | None, memory: float | None, **more: object) -> dict[str, str]:
    one = option("buy/a", "single_gpu", "a", 500.0, needed_gib=needed, memory_gib=memory, purchase_usd=9)
    assert one.prediction is not None
    text = prediction_text(msgspec.structs.replace(one.prediction, **more), EN)
    rows = [line.split("  ", 1) for line in text.replace("\N{NO-BREAK SPACE}", " ").splitlines()]
    return {name.strip(): value.strip() for name, value in rows}


def test_a_prediction_as_text() -> None:
    """Inputs, result with interval, memory, and what it rests on."""
    lines = _prediction_lines(8, 16)
    assert lines["Task"] == "training"
    assert _prediction_lines(8, 16, task="infer")["Task"] == "inference"
    assert lines["Time of a step"] == "100 ms (87.7 ms to 114 ms)"
    assert lines["Memory"] == "8 of 16 GB, fits"
    assert lines["How sure"] == "good (±15%)"
    assert "Scaling efficiency" not in lines


def test_a_prediction_over_several_devices() -> None:
    """Efficiency and parts of a step only where there are any."""
    lines = _prediction_lines(8, 16, device_count=4, accumulation_steps=2, scaling_efficiency_ratio=0.9, parts=())
    assert lines["Device"] == "4 × a"
    assert lines["Scaling efficiency"] == "90%"
    assert lines["Parts of a step"] == "2"
    assert "Where the time goes" not in lines


def test_a_prediction_that_does_not_fit_says_what_would() -> None:
    """The largest batch, or that none fits, or only the need."""
    assert _prediction_lines(14, 6)["Memory"].endswith("the largest batch that fits is 8")
    assert _prediction_lines(14, None)["Memory"] == "14 GB"
    assert "Memory" not in _prediction_lines(None, None)
    one = option("buy/a", "single_gpu", "a", 500.0, needed_gib=14, memory_gib=6)
    assert one.prediction is not None
    assert one.prediction.memory is not None
    none = msgspec.structs.replace(one.prediction.memory, largest_batch=0)
    assert none.total_bytes == 14 * GIB
    text = prediction_text(msgspec.structs.replace(one.prediction, memory=none), EN)
    assert "14 of 6 GB, does not fit\n" in text
    assert "What would help" not in text
    ways = msgspec.structs.replace(none, how_to_fit=("amp", "qlora", "shard"), devices_needed=3)
    text = prediction_text(msgspec.structs.replace(one.prediction, memory=ways), EN)
    assert "shorter number format" in text
    assert "(QLoRA)" in text
    assert "3 of them, sharing the state of the training (FSDP, ZeRO)" in text


def test_a_prediction_of_classical_learning_says_that_no_card_helps() -> None:
    """Its time on a card is no recommendation of one."""
    one = option("buy/a", "single_gpu", "a", 500.0, needed_gib=None)
    assert one.prediction is not None
    for memory in (None, option("buy/a", "single_gpu", "a", 500.0, needed_gib=2, memory_gib=6).prediction.memory):  # type: ignore[union-attr]
        text = prediction_text(msgspec.structs.replace(one.prediction, network="gradient_boosting", memory=memory), EN)
        assert "a graphics card would not help" in text
