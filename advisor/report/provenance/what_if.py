"""Where the time of a computer that is only thought of comes from: what was worked out, and from what."""

from advisor.locale import Language
from advisor.records.job.advice import Option
from advisor.records.job.changes import WhatIf
from advisor.records.results.report import Report
from advisor.report.provenance.predictions import of_time
from advisor.report.provenance.record import Provenance
from advisor.report.words import quantities
from advisor.report.words.labels import limit_phrase


def of_part(one: WhatIf, part: str, here: Option | None, report: Report, language: Language) -> Provenance:
    """Return how the time with a part was worked out; nobody measured it, whatever the time of now rests on.

    Args:
        one: What the part brings.
        part: The part as a phrase.
        here: What this computer does the job with now; None where it does not.
        report: The answer for the computer as it is.
        language: The user's.
    """
    _ = language.gettext
    now = None if here is None else of_time(here, report, language)
    rests = () if now is None else ((now.title, f"{now.value} ({now.basis})" if now.basis else now.value),)
    method = _("answered again as if it were there; everything else stays as it is")
    if one.kind == "cores" and here is not None and not here.is_card:
        method = _(
            "the time of now, shortened by what twice the cores gain by the processor's figures, less what two cores "
            "were seen to lose against one"
        )
    return Provenance(
        title=_("Time of one run with another part: {part}").format(part=part),
        value="–" if one.then_s is None else quantities.duration(one.then_s, language),
        basis=_("worked out: this computer was not measured with it"),
        inputs=(*rests, (_("What holds it back now"), limit_phrase(one.limit, language))),
        method=method,
    )
