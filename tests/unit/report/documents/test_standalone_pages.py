"""Pages that are no report, in each format a user may ask for."""

import json
from typing import Any

import pytest

from advisor.catalog import load_held_out_times, load_validation
from advisor.errors import InputError
from advisor.locale import language
from advisor.report.documents.standalone_pages import render_how_sure

EN, ES = language("en"), language("es")


@pytest.mark.parametrize("spoken", [EN, ES], ids=["en", "es"])
def test_each_format(spoken: Any) -> None:
    """Text within its width, Markdown, one HTML file, and the record itself."""
    found = load_validation()
    assert max(map(len, render_how_sure(found, "text", spoken, width=88).splitlines())) <= 100
    assert "| ---" in render_how_sure(found, "md", spoken)
    times = load_held_out_times()
    page = render_how_sure(found, "html", spoken, times)
    assert page.count("<svg") == 3
    assert page.index("<svg") < page.index('<details class="part">')
    assert page.count('<details class="part">') == page.count("</summary>") - page.count("<details><summary>")
    assert "<script" not in page
    assert json.loads(render_how_sure(found, "json", spoken))["made"] == found.made
    with pytest.raises(InputError, match="choose one of: text, json, html, md"):
        render_how_sure(found, "pdf", spoken)
