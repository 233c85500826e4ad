"""Two reports side by side, as plain text."""

from advisor.locale import Language
from advisor.records.results.comparison import ComparedCase, Comparison
from advisor.records.results.report import Report
from advisor.report.words.cases import case_title
from advisor.report.words.compared import difference_phrase, taken_phrase
from advisor.report.words.labels import spoken_moment
from advisor.report.words.quantities import exact_seconds, scatter


def comparison_text(first: Report, second: Report, comparison: Comparison, language: Language) -> str:
    """Return the cases both have measured, and which differences repeating alone would not cause."""
    _ = language.gettext
    taken = (comparison.first_taken_ratio, comparison.second_taken_ratio)
    names = [_side(report, share, language) for report, share in zip((first, second), taken, strict=True)]
    lines = [_("A: {name}").format(name=names[0]), _("B: {name}").format(name=names[1]), ""]
    lines += [_case_line(case, language) for case in comparison.cases]
    if not comparison.cases:
        lines.append(_("The two reports have no measurement in common."))
    lines += _left_over(_("Only A has measured: {names}"), comparison.only_first)
    lines += _left_over(_("Only B has measured: {names}"), comparison.only_second)
    return "\n".join(lines)


def _side(report: Report, taken_ratio: float, language: Language) -> str:
    """Return which computer it is, and what others took of its processor: a difference may be theirs."""
    _ = language.gettext
    cards = [accelerator.name for accelerator in report.machine.accelerators if accelerator.trains]
    name = _("{machine} ({date}, torch {version})").format(
        machine=", ".join([report.machine.host.cpu.name, *cards]),
        date=spoken_moment(report.created_at, language),
        version=report.machine.framework.version or _("missing"),
    )
    return " · ".join(filter(None, (name, taken_phrase(taken_ratio, language))))


def _case_line(case: ComparedCase, language: Language) -> str:
    return "  ".join(
        (
            f"{case_title(case.case, language)}:",
            f"A {exact_seconds(case.first_s, language)}, B {exact_seconds(case.second_s, language)}.",
            _verdict(case, language),
        )
    )


def _verdict(case: ComparedCase, language: Language) -> str:
    _ = language.gettext
    is_plain = case.is_beyond_noise or case.finding in ("disturbed", "once")
    text = _("B: {said}.") if is_plain else _("B: {said} (noise {noise}).")
    return text.format(said=difference_phrase(case, language), noise=scatter(case.noise_ratio, language))


def _left_over(text: str, names: tuple[str, ...]) -> list[str]:
    return [text.format(names=", ".join(names))] if names else []
