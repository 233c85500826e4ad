"""What the window shows, worked out without Qt."""

import math
import subprocess
import sys

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.catalog import presets
from advisor.gui.models.computer import fact_groups, memory_text, one_line, rounded_memory, short_cpu_name
from advisor.gui.models.measure import MeasureModel, rate_table, rate_ticks
from advisor.gui.models.options import OptionFilter, OptionTable, cost_ticks, option_points, options_of, time_ticks
from advisor.gui.models.progress import ProgressModel
from advisor.gui.models.question import (
    CARDS,
    Question,
    amount,
    cards,
    deadline_choices,
    frequency_choices,
    index_of,
    more_cards,
    summary,
)
from advisor.gui.models.region_names import country_name, currency_name
from advisor.gui.models.verdict import verdict_view
from advisor.locale import language
from advisor.records.events import StepStarted
from tests.gui.samples import (
    GIB,
    sample_events,
    sample_machine,
    sample_presets,
    sample_report,
)

EN, ES = language("en"), language("es")


def plain(text: str) -> str:
    """Return a text with ordinary blanks."""
    return text.replace("\N{NO-BREAK SPACE}", " ")


def test_the_models_need_no_qt() -> None:
    """All models can be imported and used where Qt is not installed."""
    names = [
        "computer",
        "live.export",
        "live.model",
        "measure",
        "options",
        "phases",
        "progress",
        "question",
        "region_names",
        "verdict",
    ]
    code = "import sys;" + ";".join(f"import advisor.gui.models.{name}" for name in names)
    code += ";assert not [m for m in sys.modules if m.startswith(('PySide6', 'pyqtgraph', 'torch'))]"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# --- the question ---


def test_every_card_of_the_first_screen_has_its_job() -> None:
    """The cards are shown before the catalogue is read, so each must be in it."""
    known = {preset.workload.id for preset in presets()}

    assert {row[0] for row in CARDS} <= known


def test_every_job_is_on_a_card() -> None:
    """Each ready-made job is on the first screen or behind the last card, once."""
    ids = [card.preset_id for card in (*cards(EN), *more_cards(presets(), EN)) if card.preset_id]

    assert sorted(ids) == sorted(preset.workload.id for preset in presets())


def test_every_job_can_be_summed_up() -> None:
    """Each ready-made job has a plain noun for what it works on."""
    texts = {preset.workload.id: summary(preset.workload, EN) for preset in presets()}

    assert texts["classical_ml"] == "50,000 rows"
    assert texts["article_cnn"] == "19,000 photos · 8 kinds · 5 passes"
    assert texts["bert_finetuning"] == "100,000 texts · 3 passes"
    assert all(texts.values())


def test_a_small_number_of_samples_is_not_rounded() -> None:
    """500 stay 500; 18,687 are about 19,000."""
    workload = sample_presets()[1].workload

    assert amount(msgspec.structs.replace(workload, samples=517), EN) == "517 photos"
    assert amount(msgspec.structs.replace(workload, samples=1), EN) == "1 photo"


@given(st.floats(min_value=1.0, max_value=1e9))
def test_any_deadline_is_among_the_choices(deadline_s: float) -> None:
    """Whatever deadline a job comes with, the list shows it as chosen, and stays in order."""
    choices = deadline_choices(deadline_s, EN)
    chosen = choices[index_of(choices, deadline_s)]
    values = [math.inf if choice.value is None else choice.value for choice in choices]

    assert chosen.value == pytest.approx(deadline_s, rel=0.01)
    assert values == sorted(values)


@given(st.floats(min_value=0.001, max_value=1e5), st.floats(min_value=1.0, max_value=240.0))
def test_any_frequency_is_among_the_choices(runs: float, months: float) -> None:
    """Whatever frequency a job comes with, the list shows it as chosen."""
    choices = frequency_choices(runs, months, EN)

    assert choices[index_of(choices, runs)].value == pytest.approx(runs, rel=0.011)


def test_no_deadline_is_a_choice_too() -> None:
    """A job without deadline is not given one."""
    choices = deadline_choices(None, EN)

    assert choices[index_of(choices, None)].value is None


def test_the_region_stays_when_another_job_is_chosen() -> None:
    """Currency and country belong to the user, not to the job."""
    question = Question(presets=sample_presets())
    question.set_region("EUR", "ES", 1.1)
    question.choose("article_cnn")

    assert (question.circumstances.currency, question.circumstances.country) == ("EUR", "ES")
    assert question.circumstances.runs_per_month == 2.0


def test_an_unknown_job_changes_nothing() -> None:
    """Choosing what is not there is no error while the catalogue is not read yet."""
    question = Question()
    question.choose("article_cnn")
    question.change_workload(samples=3)

    assert question.workload is None


# --- the computer ---


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("Intel(R) Core(TM) i7-10750H CPU @ 2.60GHz", "Intel Core i7-10750H"),
        ("AMD Ryzen 9 5950X 16-Core Processor", "AMD Ryzen 9 5950X"),
        ("Apple M3 Max", "Apple M3 Max"),
        ("Intel(R) Xeon(R) CPU E5-2690 v4 @ 2.60GHz", "Intel Xeon E5-2690 v4"),
    ],
)
def test_a_processor_is_called_what_people_call_it(name: str, short: str) -> None:
    """Marks, clocks and padding are left out."""
    assert short_cpu_name(name) == short


@pytest.mark.parametrize(
    ("seen_gib", "sold"), [(15.5, "16 GB"), (7.6, "8 GB"), (31.1, "32 GB"), (13.0, "13 GB"), (5.8, "6 GB")]
)
def test_memory_is_named_as_it_is_sold(seen_gib: float, sold: str) -> None:
    """A little less than a usual size is that size; anything else is itself."""
    assert plain(memory_text(rounded_memory(seen_gib * GIB), EN)) == sold


def test_two_cards_and_none() -> None:
    """Several cards are counted; no card is said."""
    machine = sample_machine()
    card = machine.accelerators[0]
    twins = msgspec.structs.replace(machine, accelerators=(card, msgspec.structs.replace(card, index=1)))
    bare = msgspec.structs.replace(machine, accelerators=())

    assert plain(one_line(twins, EN)).endswith("2 × GeForce RTX 2060 Laptop GPU 6 GB")
    assert one_line(bare, EN).endswith("no graphics card to train on")


def test_each_gap_is_shown_once_with_its_reason() -> None:
    """A missing fact stands where it belongs, or among those that have no other place."""
    rows = [row for group in fact_groups(sample_machine(), EN) for row in group.rows if row.is_gap]

    assert [row.name for row in rows] == ["Error correction", "PCI identification"]
    assert rows[0].value.startswith("not known: ")


# --- progress and measurements ---


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now_s


def test_progress_from_beginning_to_end() -> None:
    """Each event changes the sentence; the share grows and ends at 1."""
    clock = Clock()
    model = ProgressModel(clock)
    sentences, shares = [], []
    for event in sample_events():
        model.handle_event(event)
        clock.now_s += 0.5
        sentences.append(model.sentence(EN))
        shares.append(model.fraction or 0.0)

    assert sentences[0] == "Looking at this computer"
    assert "Training a network on the graphics card, 7 s left" in sentences
    assert sentences[-1] == "Comparing the options"
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert (model.finished_count, model.planned_count) == (15, 15)


def test_the_time_left_never_goes_below_nothing() -> None:
    """A case that takes longer than planned is almost done, not minus ten seconds."""
    clock = Clock()
    model = ProgressModel(clock)
    for event in sample_events()[:4]:
        model.handle_event(event)
    clock.now_s = 1000.0

    assert model.remaining_s == 0.0
    assert model.sentence(EN).endswith("almost done")


def test_a_pause_between_two_tests_is_no_progress() -> None:
    """The share done and the time left stand still while nothing runs, and go on with the next test."""
    clock = Clock()
    model = ProgressModel(clock)
    for event in sample_events()[:5]:
        model.handle_event(event)
    before = (model.remaining_s, model.fraction)
    clock.now_s += 300.0
    assert (model.remaining_s, model.fraction) == before

    model.handle_event(sample_events()[5])
    clock.now_s += 1.0
    assert model.remaining_s < before[0]


@pytest.mark.parametrize("step", ["probe", "benchmark", "predict", "recommend", "report"])
def test_each_step_has_its_sentence(step: str) -> None:
    """No step is silent."""
    model = ProgressModel(Clock())
    model.handle_event(StepStarted(step=step))  # type: ignore[arg-type]  # the test passes known names

    assert model.sentence(EN)


def test_measurements_fill_table_and_chart() -> None:
    """A finished run has a row for each case and a line for each device."""
    model = MeasureModel()
    for event in sample_events():
        model.handle_event(event)
    lines = model.lines(EN)

    assert [line.name for line in lines] == ["Graphics card, fp32", "Processor, fp32"]
    assert [row.state for row in model.rows(EN)].count("done") == 14
    header, rows = rate_table(lines, EN)
    assert header == ("Matrix size", "Graphics card, fp32", "Processor, fp32")
    assert plain(rows[-1][1]) == "6 TFLOP/s"


def test_a_new_run_starts_with_an_empty_table() -> None:
    """What was measured before does not mix with what is measured now."""
    model = MeasureModel()
    report = sample_report()
    assert report.benchmark is not None
    model.show(report.benchmark)
    version = model.version
    model.clear()

    assert model.is_empty
    assert model.version > version


@given(st.lists(st.floats(min_value=1e6, max_value=1e17), min_size=1, max_size=6))
def test_the_rate_axis_always_has_marks(rates: list[float]) -> None:
    """Whatever was measured, the axis shows at least one round value inside or beside it."""
    from advisor.gui.models.measure import RateLine

    lines = (
        RateLine(name="x", device="cpu", precision="fp32", points=tuple((2**i, rate) for i, rate in enumerate(rates))),
    )
    positions = [position for position, _text in rate_ticks(lines, EN)]

    assert positions
    assert positions == sorted(positions)
    assert min(positions) <= math.log10(min(rates)) + 1e-9


# --- the answer ---


def test_the_answer_in_both_languages() -> None:
    """All parts of the answer have words in both languages, and they differ."""
    english, spanish = verdict_view(sample_report(), EN), verdict_view(sample_report(), ES)

    assert english.answer.headline.text == "Your laptop is enough."
    assert spanish.answer.headline.text == "Tu portátil basta."
    assert english.kind == spanish.kind == "here"
    assert [chip.kind for chip in english.chips] == ["here", "buy", "rent"]
    assert english.chips[0].is_chosen
    assert english.answer.reasons != spanish.answer.reasons


def test_options_as_points_and_rows() -> None:
    """Each option worth drawing is a point with its row; the best of each kind is named."""
    report = sample_report()
    table = OptionTable(report, EN)
    points = option_points(table)

    assert [point.label for point in points if point.label]
    assert {point.kind for point in points} == {"here", "buy", "rent", "cluster"}
    assert len(table) == 5
    assert table[1:3] == [table[1], table[2]]
    assert table.chosen == 0
    assert table.hover(2).splitlines()[0] == "GeForce RTX 5060 Ti 16 GB"
    assert len(options_of(report, OptionFilter(kind="buy"), EN)) == 1


def test_axes_of_options_have_words() -> None:
    """Time and cost axes have marks in units people know."""
    report = sample_report()
    points = option_points(OptionTable(report, EN))

    assert "1 minute" in [text for _position, text in time_ticks(points, EN)]
    assert cost_ticks(points, report, EN)


def test_currencies_and_countries_have_names() -> None:
    """Names are in the user's language."""
    assert currency_name("EUR", EN) == "EUR · Euro"
    assert country_name("ES", ES) == "España"
