"""Was it true? The section of a report that says what came of its answer."""

from advisor.locale import Language
from advisor.records.results.report import Report
from advisor.report.content.blocks import Paragraph, Section
from advisor.report.words.receipts import receipt_sentences


def receipts_section(report: Report, language: Language) -> Section:
    """Return what came of the answer; empty where nobody looked."""
    said = tuple(Paragraph(" ".join(receipt_sentences(one, language))) for one in report.receipts)
    return Section("receipt", language.gettext("Was it true?"), said)
