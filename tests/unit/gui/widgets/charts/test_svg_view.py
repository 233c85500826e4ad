"""Pictures whose letters stay readable."""

from typing import cast

from advisor.gui.pages.accuracy.page import AccuracyPage
from advisor.gui.widgets.charts.svg_view import SvgView, with_letters
from tests.gui.conftest import Opener, settle
from tests.gui.test_pages import page


def test_letters_of_charts_stay_readable_in_a_small_window(open_window: Opener) -> None:
    """Where a chart is made smaller its letters are not; in a large window they are as drawn."""
    sure = cast(AccuracyPage, page(open_window(size=(1024, 640)), "accuracy"))
    sure.unfold.click()
    settle()
    picture = sure.details.findChildren(SvgView)[0]
    scale = picture._shown().width() / picture._renderer.defaultSize().width()
    assert scale < 0.9
    assert scale * picture._grown * 12.5 > 11.9

    first = sure.blocks.findChildren(SvgView)[0]
    assert first._shown().width() / first._renderer.defaultSize().width() * first._grown * 12.5 > 11.9

    large = SvgView(picture._svg, text_growth=1.35)
    large.resize(1200, 600)
    assert large._grown == 1.0
    assert with_letters("font-size: 10px; font-size: 12.5px", 1.2) == "font-size: 12px; font-size: 15px"
