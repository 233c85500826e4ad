"""How long one training or run takes, there instead of here, with its epochs and what passes before and after it."""

import msgspec

from advisor.locale import N_, Language
from advisor.records.base import Interval
from advisor.records.job.advice import Option
from advisor.records.results.own_computer import is_untrusted
from advisor.records.results.report import Report
from advisor.report.words import quantities
from advisor.report.words.advice.verdict import chosen_option
from advisor.report.words.samples import epoch_count
from advisor.report.words.sources import measurer_phrase

_TIMES = {
    # place, whether compared: for a training, for any other run
    ("here", False): (N_("One training takes {time}."), N_("One run takes {time}.")),
    ("here", True): (
        N_("One training takes {time} on its graphics card, {other} on the processor alone."),
        N_("One run takes {time} on its graphics card, {other} on the processor alone."),
    ),
    ("several", True): (
        N_("One training takes {time} on its {count} graphics cards together, {other} on the processor alone."),
        N_("One run takes {time} on its {count} graphics cards together, {other} on the processor alone."),
    ),
    ("there", False): (N_("One training takes {time} there."), N_("One run takes {time} there.")),
    ("there", True): (
        N_("One training takes {time} there, instead of {other} here."),
        N_("One run takes {time} there, instead of {other} here."),
    ),
    ("doubted", True): (
        N_("One training takes {time} there; here {other}, as far as we can tell."),
        N_("One run takes {time} there; here {other}, as far as we can tell."),
    ),
}


def time_sentence(report: Report, language: Language) -> str:
    """Return how long one run takes, with its interval, and how long it takes here where that is another."""
    chosen = chosen_option(report)
    if chosen is None or chosen.run_s is None:
        return language.gettext("How long it takes is not known.")
    place = "here" if chosen.tier == "this_computer" else "there"
    other = None if place == "here" and not chosen.is_card else _comparison(report, chosen)
    if other is not None and place == "here" and chosen.device_count > 1:
        place = "several"
    spoken = "" if other is None or other.run_s is None else quantities.duration(other.run_s, language)
    if place == "there" and other is not None and other.run_s is not None and is_untrusted(report):
        place, spoken = "doubted", _with_interval(other, other.run_s, language)
    text = _TIMES[place, other is not None][0 if report.workload.task == "train" else 1]
    time = _with_interval(chosen, chosen.run_s, language)
    return language.gettext(text).format(time=time, other=spoken, count=language.number(chosen.device_count))


def _with_interval(option: Option, run_s: float, language: Language) -> str:
    """Return a time with its interval."""
    if option.interval is None:
        return quantities.about(run_s, language)
    return quantities.about_with_range(run_s, option.interval.low, option.interval.high, language)


def with_and_without_others(option: Option, language: Language) -> str:
    """Return what both ends of a range are that reaches to what a run took beside other programs; empty without one."""
    if option.run_s is None or option.interval is None:
        return ""
    _low_s, high_s = quantities.spoken_ends(option.run_s, option.interval.low, option.interval.high, language)
    text = language.gettext("Without other programs a run takes about {time}, with them running up to {most}.")
    return text.format(time=quantities.duration(option.run_s, language), most=quantities.duration(high_s, language))


_OPEN_EPOCHS = {
    # whether trees are grown, whether somebody publishes how many are usual
    (False, True): N_(
        "You did not say how many epochs; this is for {epochs}, the fewest of the usual {low} to {high} ({source}, "
        "{date}). An epoch takes {epoch}; over that whole range a training takes {whole}."
    ),
    (True, True): N_(
        "You did not say how many trees; this is for {epochs}, the fewest of the usual {low} to {high} ({source}, "
        "{date}). A tree takes {epoch}; over that whole range a training takes {whole}."
    ),
    (False, False): N_(
        "You did not say how many epochs, and nobody publishes how many are usual for such a job; this is for "
        "{epochs}, as an example. An epoch takes {epoch}."
    ),
}


_FEW_EPOCHS = N_("With the {low} to {high} epochs that are usual ({source}, {date}) it takes {whole}.")


def epochs_sentence(report: Report, language: Language) -> str:
    """Return how many epochs are taken where nobody said how many, the time of one, and of the whole usual range.

    Of fewer than are usual, which an example may have, the time of those.
    """
    chosen, work, usual = chosen_option(report), report.workload, report.usual_epochs
    is_few = usual is not None and work.epochs < usual.low and work.method != "classical"
    if work.task != "train" or chosen is None or chosen.run_s is None or not (work.epochs_are_default or is_few):
        return ""
    words = {
        "epochs": epoch_count(work, language),
        "epoch": _with_interval(_of_an_epoch(chosen, work.epochs), chosen.run_s / work.epochs, language),
    }
    if usual is not None:
        ends = chosen.interval or Interval(low=chosen.run_s, high=chosen.run_s)
        low_s, high_s = ends.low * usual.low / work.epochs, ends.high * usual.high / work.epochs
        words |= {
            "low": language.number(usual.low),
            "high": language.number(usual.high),
            "source": measurer_phrase(usual.source.author, language),
            "date": usual.source.date[:4],
            "whole": quantities.duration_range(low_s, high_s, language),
        }
    text = _OPEN_EPOCHS.get((work.method == "classical", usual is not None), _OPEN_EPOCHS[False, False])
    if not work.epochs_are_default:
        text = _FEW_EPOCHS
    return language.gettext(text).format(**words)


def _of_an_epoch(option: Option, epochs: float) -> Option:
    ends = option.interval
    shorter = None if ends is None else Interval(low=ends.low / epochs, high=ends.high / epochs)
    return msgspec.structs.replace(option, interval=shorter)


def _comparison(report: Report, chosen: Option) -> Option | None:
    """Return what the time is compared with: the processor alone, or the best this computer can do."""
    here = [
        option
        for option in report.advice.options
        if option.tier == "this_computer"
        and option.run_s is not None
        and option.id != chosen.id
        and option.obstacle != "does_not_fit"
    ]
    if chosen.tier == "this_computer":
        return next((option for option in here if not option.is_card), None)
    return min(here, key=lambda option: option.run_s or 0.0, default=None)


BACK_S = 600.0
"""Fetching a result for longer than this is worth a word."""


def start_sentence(report: Report, language: Language) -> str:
    """Return what passes before and after a run that is rented or queues; empty where nothing worth a word does."""
    chosen = chosen_option(report)
    if chosen is not None and chosen.site_nodes:
        return _queue_sentence(chosen, language)
    if chosen is None or chosen.before_s <= 0 or chosen.offer is None:
        return ""
    _, asked = language.gettext, report.circumstances
    before = quantities.duration(chosen.before_s, language)
    text = _(
        "Before a run, about {before} pass until the machine is there and has your data ({size}, over a typical home "
        "connection)."
    )
    if asked.upload_bytes_per_s is not None:
        text = _(
            "Before a run, about {before} pass until the machine is there and has your data ({size}, over your line)."
        )
    if chosen.sent_bytes <= 0:
        text = _(
            "Before a run, about {before} pass until the machine is there; how long your data take is unknown, "
            "because their size is."
        )
    said = [text.format(before=before, size=quantities.memory(chosen.sent_bytes, language))]
    if chosen.after_s >= BACK_S:
        text = _("After it, fetching the result takes about {after}.")
        said.append(text.format(after=quantities.duration(chosen.after_s, language)))
    deadline_s, run_s = asked.deadline_s, chosen.run_s or 0.0
    until_done_s = chosen.before_s + run_s + chosen.after_s
    if deadline_s is not None and run_s <= deadline_s < until_done_s:
        text = _("With that, it is done after {duration}, later than the {deadline} you allow.")
        duration, deadline = (quantities.duration(time_s, language) for time_s in (until_done_s, deadline_s))
        said.append(text.format(duration=duration, deadline=deadline))
    return " ".join(said)


def _queue_sentence(chosen: Option, language: Language) -> str:
    """Return how long one waits for the site's cluster, and in how many jobs a run is done there."""
    _, before = language.gettext, quantities.duration(chosen.before_s, language)
    if chosen.site_jobs == 1:
        return _("Before a run, about {before} pass in the queue.").format(before=before) if chosen.before_s else ""
    text = _(
        "Your cluster ends a job before a run is done: it takes {n} jobs, each of which goes on from what the one "
        "before has saved."
    ).format(n=language.number(chosen.site_jobs))
    waits = _("About {before} pass in the queue in all.").format(before=before)
    return f"{text} {waits}" if chosen.before_s else text
