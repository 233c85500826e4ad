"""An answer with its words, as controllers hand it to the pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from advisor.records.results.report import Report

if TYPE_CHECKING:
    from advisor.gui.models.verdict import VerdictView


@dataclass(frozen=True, kw_only=True)
class ShownAnswer:
    """A report with its words in one language, made where the report was, so that painting does not wait for them."""

    report: Report
    view: VerdictView
