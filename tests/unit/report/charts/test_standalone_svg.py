"""A chart that stands alone: its style inside, its colours resolved, for whatever knows no style sheet of a page."""

from advisor.report.charts.standalone_svg import font_families, page_colours, standalone, with_family


def test_a_picture_keeps_what_it_shows() -> None:
    """Only a style is added."""
    assert standalone("<svg a='b'><g/></svg>").endswith("</style><g/></svg>")


def test_labels_stand_out_from_what_is_below_them() -> None:
    """Their outline is a text of its own, under them."""
    picture = standalone('<svg a="b"><text x="1" class="label strong">L4</text><text class="tick">9</text></svg>')
    assert '<text x="1" class="halo">L4</text><text x="1" class="label strong">L4</text>' in picture
    assert picture.count("<text") == 3


def test_no_letter_is_faint_in_high_contrast() -> None:
    """Legend and axes stayed grey on black."""
    soft, ink = (page_colours(is_dark=True)[name] for name in ("soft", "ink"))
    usual, strong = (standalone("<svg></svg>", is_dark=True, is_contrast=on) for on in (False, True))
    assert f"fill: {soft}" in usual
    assert f"fill: {soft}" not in strong
    assert strong.count(f"fill: {ink}") > usual.count(f"fill: {ink}")


def test_a_picture_has_one_font_where_lists_are_not_known() -> None:
    """The rest of its style stays."""
    picture = with_family(standalone("<svg><text>a</text></svg>"), "DejaVu Sans")
    assert 'font-family: "DejaVu Sans";' in picture
    assert "Segoe" not in picture
    assert "DejaVu Sans" in font_families()
