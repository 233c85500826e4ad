"""Questions in a row: only the last of those that wait is answered."""

import threading

import msgspec
import pytest
from pytestqt.qtbot import QtBot

from advisor.errors import InputError
from advisor.gui.base.tasks import BackgroundTasks
from advisor.gui.controllers.answer_queue import AnswerQueue, AskedQuestion
from advisor.gui.models.shown_answer import ShownAnswer
from advisor.gui.models.verdict import verdict_view
from advisor.locale import language
from advisor.records.job.workload import Circumstances
from advisor.records.request import Observation
from advisor.records.results.report import Report
from advisor.session.forecast import Forecast
from tests.gui.conftest import WAIT_MS
from tests.gui.samples import FakeBackend, sample_presets, sample_report


def asked(backend: FakeBackend, **circumstances: object) -> AskedQuestion:
    """Return a question about the sample's computer."""
    report = sample_report()
    seen = Observation(machine=report.machine, benchmark=report.benchmark)
    return AskedQuestion(seen, sample_presets()[1].workload, Circumstances(**circumstances))  # type: ignore[arg-type]


def shown(report: Report) -> ShownAnswer:
    """Return a report with its words."""
    return ShownAnswer(report=report, view=verdict_view(report, language("en")))


@pytest.fixture
def background() -> BackgroundTasks:
    """Return an empty background."""
    return BackgroundTasks()


def test_another_deadline_needs_no_new_forecast(
    backend: FakeBackend, background: BackgroundTasks, qtbot: QtBot
) -> None:
    """The job is worked out once; deadline, budget and frequency are only decided upon."""
    answers = AnswerQueue(backend, background, shown)
    first = asked(backend)
    for circumstances in (first.circumstances, Circumstances(deadline_s=60.0), Circumstances(budget_usd=10.0)):
        with qtbot.waitSignal(answers.answered, timeout=WAIT_MS):
            answers.ask(first._replace(circumstances=circumstances))

    assert len(backend.concluded) == 1
    assert len(backend.decided) == 3
    with qtbot.waitSignal(answers.answered, timeout=WAIT_MS):
        answers.ask(first._replace(workload=msgspec.structs.replace(first.workload, batch_size=64)))
    assert [workload.batch_size for workload in backend.concluded] == [32, 64]
    background.wait(WAIT_MS)


def test_answers_never_lag_behind(backend: FakeBackend, background: BackgroundTasks, qtbot: QtBot) -> None:
    """Of many questions in a row only the first, which is being answered, and the last are."""
    gate, plain = threading.Event(), backend.decide

    def slow(forecast: Forecast, circumstances: Circumstances) -> Report:
        gate.wait(WAIT_MS / 1000)
        return plain(forecast, circumstances)

    backend.decide = slow  # type: ignore[method-assign]
    answers = AnswerQueue(backend, background, shown)
    given: list[ShownAnswer] = []
    answers.answered.connect(given.append)
    for runs in range(1, 8):
        answers.ask(asked(backend, runs_per_month=float(runs)))
    gate.set()

    qtbot.waitUntil(lambda: len(given) == 2, timeout=WAIT_MS)
    assert [answer.report.circumstances.runs_per_month for answer in given] == [1.0, 7.0]
    background.wait(WAIT_MS)


def test_what_nobody_waits_for_is_not_given(backend: FakeBackend, background: BackgroundTasks, qtbot: QtBot) -> None:
    """An answer that was given up never appears."""
    answers = AnswerQueue(backend, background, shown)
    given: list[ShownAnswer] = []
    answers.answered.connect(given.append)
    answers.ask(asked(backend))
    answers.discard_pending()
    background.wait(WAIT_MS)
    qtbot.wait(10)

    assert given == []


def test_a_question_that_cannot_be_answered_is_said(
    backend: FakeBackend, background: BackgroundTasks, qtbot: QtBot
) -> None:
    """A job whose parts do not go together is a sentence; the next question is answered."""
    answers = AnswerQueue(backend, background, shown)
    good, backend.report = backend.report, InputError("The batch is larger than the data.")
    with qtbot.waitSignal(answers.failed, timeout=WAIT_MS) as said:
        answers.ask(asked(backend))
    assert "larger than the data" in str(said.args[0].error)

    backend.report = good
    with qtbot.waitSignal(answers.answered, timeout=WAIT_MS):
        answers.ask(asked(backend))
    background.wait(WAIT_MS)
