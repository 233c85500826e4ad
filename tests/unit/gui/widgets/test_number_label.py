"""Numbers that can be asked: what is underlined of a sentence."""

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from advisor.catalog import economics
from advisor.gui.base.context import Context
from advisor.gui.widgets.number_label import Figure, _Words, asked_spans, explain, number_spans
from advisor.locale import language
from advisor.report.provenance.record import Provenance
from tests.gui.conftest import settle


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("One training takes about 3½ minutes (3 to 18) on its card.", ["3½", "3", "18"]),
        ("It costs less than $0.01 a run.", ["$0.01"]),
        ("Cuesta 1.310 € en 2 años, un 4,9 % más.", ["1.310", "2", "4,9"]),
        ("GeForce RTX 2060 Laptop: 7 minutes", ["7"]),
        ("Qwen3 235B-A22B and Mixtral 8x22B take 134 GB; the RTX 3050 6GB has 6.", ["134", "6"]),
        ("Nothing to ask here.", []),
        ("It costs MX$9.41 in 2 years, MX$14,200 once, or R$310.", ["MX$9.41", "2", "MX$14,200", "R$310"]),
        ("Cuesta USD\N{NO-BREAK SPACE}843 de una vez (S/310).", ["USD\N{NO-BREAK SPACE}843", "S/310"]),
        ("Xeon Gold 6256 with 12 cores, Ryzen 7 5800X, Llama 3.1 8B", ["12"]),
        ("L1d 96 kB, L2 2 MB, L3 32 MB", ["96", "2", "32"]),
        ("Debian GNU/Linux 12 (bookworm), kernel 6.18", ["6.18"]),
    ],
)
def test_the_numbers_of_a_sentence_are_found(text: str, numbers: list[str]) -> None:
    """With their sign and decimals, without brackets, full stops and the numbers of names."""
    assert [text[start:end] for start, end in number_spans(text)] == numbers


def test_only_the_numbers_of_a_sentence_are_underlined(qapp: QApplication, qtbot: QtBot) -> None:
    """Not all of its words, so that what opens something is seen among them; in each line of a long one."""
    figure = Figure(Context(qapp, language("en"), "light"), wrap=True)
    qtbot.addWidget(figure)
    figure.show_value(
        "It takes 3 hours on a computer such as this one and 14 on another.", Provenance(title="", value="")
    )
    figure.resize(200, 80)
    figure.show()
    words = figure.findChild(_Words)
    assert words is not None
    lines = words._lines()
    assert len(lines) == 2
    assert lines[1][2] > lines[0][2], "the second stands in a further line"
    assert all(0 <= start < end <= words.width() for start, end, _below in lines)
    assert sum(end - start for start, end, _below in lines) < 60
    figure.hide()


def test_a_number_that_its_explanation_does_not_tell_of_is_not_underlined(qapp: QApplication, qtbot: QtBot) -> None:
    """Each of them opened what is known of the first; one that stands among what that is made of is told there."""
    text = "It costs $0.76 in 2 years instead of $1.05, and takes 4½ minutes and 12 before."
    cost = Provenance(title="Cost of it", value="$0.76", band="$0.70 to $0.90", inputs=(("Cost of yours", "$1.05"),))
    assert [text[start:end] for start, end in asked_spans(text, cost)] == ["$0.76", "$1.05"]
    assert asked_spans("2 or 3", cost) == [(0, 1), (5, 6)], "none of them is told"
    figure = Figure(Context(qapp, language("en"), "light"), wrap=True)
    qtbot.addWidget(figure)
    figure.show_value(text, cost)
    words = figure.findChild(_Words)
    assert words is not None
    assert len(words.spans) == 2


@pytest.mark.parametrize(
    "text",
    [
        "Your check of Nov 28, 2026, 3:29\u202fAM measured 849 ms a step, this one 696 ms.",
        "Your check of 28 Nov 2026, 03:29 measured 849 ms a step, this one 696 ms.",
        "Tu comprobación del 28 de noviembre de 2026, 3:36 a.m. midió 849 ms por paso y esta, 696 ms.",
        "Since 2026-11-28 a step takes 849 ms, before 696 ms.",
    ],
)
def test_the_numbers_of_a_date_are_not_underlined(text: str) -> None:
    """28, 2026 and 3:29 looked as if each could be asked where it comes from."""
    spans = asked_spans(text, Provenance(title="Step", value="2.5 s", basis="measured"))
    assert [text[start:end] for start, end in spans] == ["849", "696"]


def test_a_date_alone_can_be_asked() -> None:
    """It is then what the explanation is about."""
    text = "Prices of Nov 28, 2026"
    spans = asked_spans(text, Provenance(title="Prices", value="x", basis="listed"))
    assert [text[start:end] for start, end in spans] == ["28", "2026"]


@pytest.mark.parametrize("region", ["en_US", "en_001", "es_MX", "es_ES", "es_PE", "es_AR", "es_CL", "es_CO"])
def test_the_amount_of_a_sentence_is_underlined_in_any_currency(region: str) -> None:
    """A sign with letters hid it, and the "2" of "2 years" was underlined in its place."""
    spoken = language(region[:2], region)
    for currency in economics().currencies:
        amount = spoken.money(14200, currency)
        cost = Provenance(title="", value=amount)
        text = f"{amount} in 2 years"
        asked = [text[start:end] for start, end in asked_spans(text, cost)]
        assert len(asked) == 1, amount
        assert asked[0] == amount or amount.startswith(f"{asked[0]}\N{NO-BREAK SPACE}"), amount


@pytest.mark.parametrize(
    ("title", "spoken"),
    [
        ("Cores", "Cores. Shows where this number comes from"),
        ("2 cores", "Shows where this number comes from"),  # its name says so already
    ],
)
def test_a_figure_reached_by_tab_says_what_it_is(qapp: QApplication, qtbot: QtBot, title: str, spoken: str) -> None:
    """A "2" alone tells nobody what of."""
    figure = Figure(Context(qapp, language("en"), "light"))
    qtbot.addWidget(figure)
    figure.show_value("2 cores", Provenance(title=title, value="2"))
    assert (figure.accessibleName(), figure.accessibleDescription()) == ("2 cores", spoken)


def test_a_figure_grows_with_its_letters(qapp: QApplication, qtbot: QtBot) -> None:
    """Who chooses larger texts in Settings sees the whole number, not its first half."""
    context = Context(qapp, language("en"), "light")
    context.apply_theme()
    figure = Figure(context, wrap=True)
    qtbot.addWidget(figure)
    figure.show_value("2.45 GHz", Provenance(title="", value=""))
    figure.show()
    before = figure.maximumWidth()
    context.set_text_percent(175)
    after = figure.maximumWidth()
    context.set_text_percent(100)
    assert after > 1.4 * before
    assert figure.maximumWidth() == before
    figure.hide()


def test_the_frame_of_the_keyboard_is_seen_all_around_a_chip(qapp: QApplication, qtbot: QtBot) -> None:
    """The chip's own surface lay over it: only the corners showed."""
    context = Context(qapp, language("en"), "light")
    context.apply_theme()
    figure = Figure(context, role="chip")
    qtbot.addWidget(figure)
    figure.show_value("rough (factor of 3)", Provenance(title="", value=""))
    figure.show()
    qtbot.waitUntil(figure.isActiveWindow)
    figure.setFocus()
    figure.resize(figure.sizeHint())
    picture, accent = figure.grab().toImage(), context.theme.colour("accent")
    middle, centre = picture.height() // 2, picture.width() // 2
    edges = ((0, middle), (picture.width() - 1, middle), (centre, 0), (centre, picture.height() - 1))
    assert [picture.pixelColor(*edge) for edge in edges] == [accent] * 4
    figure.hide()


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_an_explanation_is_as_wide_as_its_letters_need(qapp: QApplication, qtbot: QtBot) -> None:
    """And never higher than the screen where more width would help."""
    widths = []
    for percent in (100, 150):
        context = Context(qapp, language("en"), "light", text_percent=percent)
        figure = Figure(context)
        qtbot.addWidget(figure)
        figure.show_value("2.45 GHz", Provenance(title="Clock", value="2.45 GHz"))
        figure.show()
        opened = figure.explain()
        assert opened is not None
        widths.append(opened.width())
        opened.close()
        figure.hide()
    assert widths[1] == round(1.5 * widths[0])


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_what_is_known_of_a_number_stays_within_the_window(qapp: QApplication, qtbot: QtBot) -> None:
    """Tall explanations covered the window's title bar; what is more than the window is high is scrolled."""
    window = QWidget()
    qtbot.addWidget(window)
    window.setGeometry(100, 120, 600, 300)
    context, anchor = Context(qapp, language("en"), "light"), QLabel("3 GB", window)
    inputs = tuple((f"Input {number}", "1 GB") for number in range(40))
    window.show()
    seen = {}
    for count in (1, 40):
        known = Provenance(title="Memory", value="3 GB", inputs=inputs[:count])
        explanation = explain(context, known, anchor)
        settle()
        assert window.geometry().contains(explanation.geometry())
        assert explanation.done.isVisible()
        seen[count] = explanation.body.verticalScrollBar().maximum()
        explanation.close()
    assert seen[1] == 0
    assert seen[40] > 0
    window.close()
