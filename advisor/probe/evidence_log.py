"""Notes taken while probing: how each fact was read, and why another is missing."""

from collections.abc import Callable
from typing import TypeVar

from advisor.records.base import Evidence, Gap, GapReason

T = TypeVar("T")


class EvidenceLog:
    """Collects evidence and gaps, with field names below a common prefix."""

    def __init__(self, prefix: str = "") -> None:
        self.prefix = prefix
        self.evidence: list[Evidence] = []
        self.gaps: list[Gap] = []

    def _name(self, field: str) -> str:
        return f"{self.prefix}.{field}" if self.prefix and field else self.prefix or field

    def found(self, field: str, how: str, check: str = "") -> None:
        """Note how a fact was read."""
        self.evidence.append(Evidence(field=self._name(field), how=how, check=check))

    def missing(self, field: str, reason: GapReason, detail: str = "", remedy: str | None = None) -> None:
        """Note why a fact is missing."""
        self.gaps.append(Gap(field=self._name(field), reason=reason, detail=detail, remedy=remedy))

    def either(
        self,
        field: str,
        value: object,
        how: str,
        check: str = "",
        *,
        reason: GapReason = "unreadable",
        detail: str = "",
    ) -> None:
        """Note a fact as found, or as missing where its value is None."""
        if value is None:
            self.missing(field, reason, detail or how)
        else:
            self.found(field, how, check)

    def ask(self, field: str, read: Callable[[], T], how: str, check: str = "") -> T | None:
        """Return what a library answers and note its evidence; whatever it raises costs this fact alone.

        Args:
            field: Of the fact.
            read: Asks the library.
            how: What is asked.
            check: A command that shows the same.
        """
        try:
            value = read()
        except Exception as error:  # noqa: BLE001 - nobody knows what a library raises; the gap says so
            self.missing(field, "unreadable", f"{how}: {type(error).__name__}")
            return None
        self.either(field, value, how, check)
        return value

    def absorb(self, other: "EvidenceLog", prefix: str = "") -> None:
        """Take over the notes of another log, below a further prefix."""
        shifted = EvidenceLog(f"{self.prefix}.{prefix}" if self.prefix and prefix else self.prefix or prefix)
        for note in other.evidence:
            self.evidence.append(Evidence(field=shifted._name(note.field), how=note.how, check=note.check))
        for gap in other.gaps:
            self.gaps.append(
                Gap(field=shifted._name(gap.field), reason=gap.reason, detail=gap.detail, remedy=gap.remedy)
            )
