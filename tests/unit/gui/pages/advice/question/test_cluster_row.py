"""The site's own cluster in the window: dropped or chosen, with its price and its queue, and left out again."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from advisor.gui.app.main_window import MainWindow
from advisor.wire import encode
from tests.gui.conftest import settle
from tests.unit.gui.app.test_drop_flow import drop
from tests.unit.options.test_site_cluster import H100, scaling

pytestmark = pytest.mark.slow


def test_a_cluster_counts_until_it_is_left_out(answered: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    """Its button takes it, its fields change what is asked, and the next check knows it."""
    path = tmp_path / "scaling.json"
    path.write_bytes(encode(scaling(H100, per_node=8, rates=(4e10, 3.8e10))))
    advice, row = answered.controllers.advice, answered.advice.question_panel.cluster
    card = drop(answered, qtbot, path)
    assert card.title.text().startswith("scaling.json says what a cluster reaches: 4 nodes (8 × NVIDIA H100")
    assert advice.cluster is None
    card.first.click()
    settle()
    assert advice.cluster is not None
    assert row.state.text().startswith("4 nodes")
    row.price.setValue(2.5)
    row.queue.setValue(3.0)
    row.nodes.setValue(16)
    settle()
    known = advice.cluster
    assert known is not None
    assert known.node_usd_per_h == pytest.approx(2.5 * answered.controllers.question.usd_per_shown_unit)
    assert (known.queue_s, known.nodes) == (10_800.0, 16)
    row.leave.click()
    settle()
    assert advice.cluster is None
    assert row.price.isHidden()


def test_a_file_that_is_chosen(answered: MainWindow, tmp_path: Path) -> None:
    """Is taken at once; another one is refused in a sentence, and what was known stays."""
    row = answered.advice.question_panel.cluster
    (tmp_path / "scaling.json").write_bytes(encode(scaling(H100, per_node=8)))
    row.chosen.emit(tmp_path / "scaling.json")
    settle()
    (tmp_path / "other.json").write_text("{}")
    row.chosen.emit(tmp_path / "other.json")
    assert answered.advice.problem.isVisible()
    assert answered.controllers.advice.cluster is not None


def test_which_file_is_wanted_is_said_before_it_is_asked_for(answered: MainWindow, qtbot: QtBot) -> None:
    """The button tells where the file comes from; a second press puts that away."""
    answered.stack.open("advice")
    row = answered.advice.question_panel.cluster
    assert row.about.isHidden()
    row.choose.click()
    assert row.about.isVisibleTo(answered.advice.question_panel)
    assert row.state.isHidden()
    assert "--scaling" in row.command.text()
    row.choose.click()
    assert row.about.isHidden()
    assert row.isHidden()
