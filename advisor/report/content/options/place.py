"""Where this computer stands for a job among the single devices that can be bought or rented today."""

from __future__ import annotations

import math
from typing import NamedTuple

from advisor.locale import Language
from advisor.records.job.advice import Option, Tier
from advisor.records.results.own_computer import is_untrusted
from advisor.records.results.report import Report
from advisor.report.content.options.best import best_options
from advisor.report.words import quantities

_LEAST_DEVICES = 3
_RECOMMENDED: tuple[Tier, ...] = ("single_gpu", "cloud")


class Placed(NamedTuple):
    """One device.

    Attributes:
        option: The one that the answer names, else the fastest one with this device.
        run_s: Its time of one run.
        is_named: Whether the answer names it.
        waits: Whether the processor that prepares its data is what limits it.
    """

    option: Option
    run_s: float
    is_named: bool
    waits: bool

    @property
    def name(self) -> str:
        """Its name in the catalogue."""
        return self.option.device


class Place(NamedTuple):
    """This computer among others.

    Attributes:
        here: The quickest way to do the job on it.
        here_s: Its time of one run.
        others: Every other device, the slowest first.
        slower_count: How many of them take longer.
    """

    here: Option
    here_s: float
    others: tuple[Placed, ...]
    slower_count: int

    @property
    def slower(self) -> Placed | None:
        """The nearest of those that take longer."""
        return self.others[self.slower_count - 1] if self.slower_count else None

    @property
    def faster(self) -> Placed | None:
        """The nearest of those that take no longer."""
        return self.others[self.slower_count] if self.slower_count < len(self.others) else None

    def position(self, run_s: float) -> float:
        """Return where a time lies on a logarithmic scale, from 0 for the slowest of all to 1 for the fastest."""
        times = (self.here_s, *(one.run_s for one in self.others))
        low, high = math.log(min(times)), math.log(max(times))
        return 0.5 if high <= low else (high - math.log(run_s)) / (high - low)


def place_of(report: Report) -> Place | None:
    """Return this computer's place; None where it cannot do the job, or hardly anything is there to compare with.

    None also where other programs left it so little that how fast it is cannot be told.
    """
    if is_untrusted(report):
        return None
    timed = [(one.run_s, one) for one in report.advice.options if one.run_s and one.obstacle != "does_not_fit"]
    here = [row for row in timed if row[1].tier == "this_computer"]
    named = _named(report)
    best: dict[str, tuple[float, Option]] = {}
    for run_s, one in sorted(timed, key=lambda row: row[0]):
        if one.tier != "this_computer" and one.device_count == 1 and named.get(one.device, one.id) == one.id:
            best.setdefault(one.device, (run_s, one))
    if not here or len(best) < _LEAST_DEVICES:
        return None
    others = sorted(
        (
            Placed(one, run_s, one.device in named, one.prediction is not None and one.prediction.limit == "input")
            for run_s, one in best.values()
        ),
        key=lambda one: -one.run_s,
    )
    here_s, option = min(here, key=lambda row: row[0])
    return Place(option, here_s, tuple(others), sum(one.run_s > here_s for one in others))


def _named(report: Report) -> dict[str, str]:
    """Return by device the option that the answer names: the chosen one, and the best to buy and to rent."""
    named: dict[str, str] = {}
    for one in best_options(report):
        if one.tier in _RECOMMENDED and one.device_count == 1:
            named.setdefault(one.device, one.id)
    return named


def place_summary(place: Place, language: Language) -> str:
    """Return of how many devices this computer is ahead."""
    _ = language.gettext
    number = language.number
    count, slower = len(place.others), place.slower_count
    if not slower:
        text = _("For this job this computer is slower than all {count} devices that can be bought or rented.")
    elif slower == count:
        text = _("For this job this computer is faster than all {count} devices that can be bought or rented.")
    else:
        text = _(
            "For this job this computer is faster than {slower} of {count} devices that can be bought or rented "
            "({share})."
        )
    share = language.percent(math.floor(100 * slower / count) / 100)
    return text.format(slower=number(slower), count=number(count), share=share)


def place_sentence(place: Place, language: Language) -> str:
    """Return the place in a sentence, with the nearest neighbours by name."""
    _ = language.gettext
    sentences = [place_summary(place, language)]
    for words, neighbour in (
        (_("The next faster one: {device}, {time}."), place.faster),
        (_("Next slower: {device}, {time}."), place.slower),
    ):
        if neighbour is not None:
            time = quantities.duration(neighbour.run_s, language)
            sentences.append(words.format(device=neighbour.name, time=time))
    if 2 * sum(one.waits for one in place.others) > len(place.others):
        sentences.append(
            _(
                "On most of them the graphics card waits for the processor to prepare the data, so they are about "
                "equally fast."
            )
        )
    return " ".join(sentences)
