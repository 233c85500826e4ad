"""A page ready to be laid out, whatever it is about: the answer, then its evidence."""

from typing import NamedTuple

from advisor.records.job.advice import Tier
from advisor.report.content.blocks import Block, Paragraph, Section


class Document(NamedTuple):
    """A whole page.

    Attributes:
        question: What was asked.
        verdict: The answer in one sentence.
        lead: The sentences under it: time, memory, money, how sure.
        notes: What must be known to read it rightly, such as that the machine was given by hand.
        sections: The evidence.
        colophon: Program, version, date.
        tier: Whose colour the page wears; None for a page that recommends nothing.
        about: What the page is about, as names and values, such as which computer and when.
        front: What stands on the first sheet of paper with the answer, so that it does alone; it is told again below.
    """

    question: Paragraph
    verdict: Paragraph
    lead: tuple[Paragraph, ...]
    notes: tuple[Paragraph, ...]
    sections: tuple[Section, ...]
    colophon: str
    tier: Tier | None = None
    about: tuple[tuple[str, str], ...] = ()
    front: tuple[Block, ...] = ()
