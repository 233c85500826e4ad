"""What was measured, in words: the title of a case and the phrase of its result."""

import pytest

from advisor.benchmark.planning.suite_plan import suite_cases
from advisor.locale import language
from advisor.records.results.measured.measurement import CLASSES_PROGRAM, Case, Measurement, Series
from advisor.report.words.cases import case_title, device_phrase, device_title, measurement_phrase, network_title

EN, ES = language("en"), language("es")


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
        measurement_phrase(_measured(_case(CLASSES_PROGRAM), items_per_s=64.0), EN),
    ]
    assert [phrase.replace("\N{NO-BREAK SPACE}", " ") for phrase in phrases] == [
        "500 ms a step, 64 samples a second",
        "500 ms a step",
        "92 GFLOP/s",
        "92 GFLOP/s, 80% of the peak",
        "10 GB/s",
        "900 images a second",
        "500 ms",
        "500 ms in all",
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
            f"{BEST}; there was time for batches of up to 64",
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


@pytest.mark.parametrize(
    ("details", "said"),
    [
        ({}, "500 ms a step, 16 samples a second"),
        ({"measured_ratio": 0.87}, "; 87% of the time was measured, the rest is estimated"),
        ({"measured_batch": 4.0}, "; worked out from batches up to 4"),
        ({"measured_batch": 0.25}, "; worked out from 25% of one sample"),
        ({"measured_ratio": 1.0, "measured_batch": 8.0}, " a second"),
    ],
)
def test_a_job_tells_what_of_it_was_worked_out(details: dict[str, float], said: str) -> None:
    """The share that was measured, or the largest batch; nothing where all of it ran."""
    case = Case(id="job", program="job", network="mine.py:build", batch_size=8)
    taken = Measurement(case=case, samples_s=(0.5,), median_s=0.5, iqr_s=0.0, items_per_s=16.0, details=details)
    assert measurement_phrase(taken, language("en")).endswith(said)
