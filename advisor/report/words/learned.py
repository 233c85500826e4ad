"""Words for measurements of other computers: what a time owes to them, what was learned, and what was left out."""

import re

from advisor.locale import N_, Language
from advisor.records.job.prediction import Prediction
from advisor.records.results.shared import Learned, LearnedDevice, LearnedError, NotLearned, SharedFault
from advisor.report.words.labels import basis_phrase

_FAULTS: dict[SharedFault, str] = {
    "conditions": N_("something disturbed the check, such as heat or a battery"),
    "device": N_("a device that the catalogue does not have"),
    "format": N_("neither a report nor shared measurements of this version"),
    "link": N_("a link"),
    "network": N_("a network that the catalogue does not have"),
    "not_measured": N_("a report without measurements"),
    "physics": N_("faster than the device can compute"),
    "simulated": N_("a report in which something was given by hand"),
    "spread": N_("its samples lie too far apart"),
    "too_large": N_("too large"),
    "unreadable": N_("it cannot be read"),
}
NOT_SHARED: dict[str, str] = {
    "simulated": N_("In this report something was given by hand; only what was measured is shared."),
    "not_measured": N_("This report has no measurements to share."),
    "unknown_device": N_("The catalogue has none of the devices of this computer, so nothing can be learned of them."),
    "no_clean_case": N_(
        "No step of a network of the catalogue was measured without something that disturbed it; "
        "measure again with: advisor --report --suite full"
    ),
}
"""Why a report has nothing to give, by the reason."""
_OF_OTHERS = r"shared/[0-9]{1,9}/[0-9]{1,9}"
"""What stands in ``basis_detail``: how many measurements, of how many computers."""


def rests_on(prediction: Prediction, language: Language) -> str:
    """Return what a time rests on; where those are measurements of others, how many."""
    told = next((one for one in prediction.basis_detail if re.fullmatch(_OF_OTHERS, one)), None)
    if prediction.basis != "shared" or told is None:
        return basis_phrase(prediction.basis, language)
    measurements, hands = (int(number) for number in told.removeprefix("shared/").split("/"))
    return language.gettext("taken from {measurements} on {computers} of others with this device").format(
        measurements=_measurements(measurements, language), computers=_computers(hands, language)
    )


def fault_sentence(fault: SharedFault, cases: int, language: Language) -> str:
    """Return why a file, or some cases of it, were left out."""
    if not cases:
        return language.gettext("left out: {reason}").format(reason=language.gettext(_FAULTS[fault]))
    text = language.ngettext("{n} measurement left out: {reason}", "{n} measurements left out: {reason}", cases)
    return text.format(n=language.number(cases), reason=language.gettext(_FAULTS[fault]))


def learned_sentences(learned: Learned, language: Language) -> list[str]:
    """Return, device by device, what was learned, with the error before and after, and what was refused."""
    lines = [_taught(one, language) for one in learned.devices]
    return lines + [_refused(one, language) for one in learned.left_out]


def _taught(one: LearnedDevice, language: Language) -> str:
    _ = language.gettext
    known = one.calibration
    text = _("{device}: {measurements} on {computers}. {error}").format(
        device=known.device,
        measurements=_measurements(known.measurements, language),
        computers=_computers(known.hands, language),
        error=_error(one.error, language),
    )
    if one.other_networks is None:
        return text + " " + _("Other networks: too few were measured to tell; they stay as they were.")
    error = _("Other networks: {before} off before, {after} after").format(
        before=language.percent(one.other_networks.before), after=language.percent(one.other_networks.after)
    )
    return f"{text} {error}; " + (_("corrected, too.") if known.carries_over else _("they stay as they were."))


def _refused(one: NotLearned, language: Language) -> str:
    _ = language.gettext
    counts = _("{measurements} on {computers}").format(
        measurements=_measurements(one.measurements, language), computers=_computers(one.hands, language)
    )
    if one.error is None:
        reason = _("Fewer than three of them agree within {share}; nothing was learned.").format(
            share=language.percent(0.1)
        )
    else:
        reason = _error(one.error, language) + " " + _("That is not better; nothing was learned.")
    return f"{one.device}: {counts}. {reason}"


def _error(error: LearnedError, language: Language) -> str:
    text = language.gettext("A computer left out was predicted {before} off before, {after} after.")
    return text.format(before=language.percent(error.before), after=language.percent(error.after))


def _measurements(count: int, language: Language) -> str:
    return language.ngettext("{n} measurement", "{n} measurements", count).format(n=language.number(count))


def _computers(count: int, language: Language) -> str:
    return language.ngettext("{n} computer", "{n} computers", count).format(n=language.number(count))
