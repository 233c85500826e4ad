"""Was it true? What came of an answer, from what the user tells or from measuring its job again."""

import datetime
import math
import statistics
from collections.abc import Iterable

from advisor.errors import InputError
from advisor.records.hardware.machine import Machine
from advisor.records.job.advice import Option
from advisor.records.request import Request
from advisor.records.results.history_entry import Entry
from advisor.records.results.receipt import MOST_TEXT, Receipt, TrackRecord
from advisor.records.results.report import Report
from advisor.report.words.advice.measured_job import measured_option
from advisor.session.given.own_network import is_program

BUSY_RATIO = 0.2
"""Where others take so much of the processor, an answer is not judged by what was measured."""


def find_option(report: Report, name: str) -> Option:
    """Return the option that a user means by ``here`` or by a part of its name.

    Raises:
        InputError: There is none with a time.
    """
    wanted = name.strip().casefold()
    timed = [one for one in report.advice.options if one.run_s is not None and one.interval is not None]
    found = [one for one in timed if one.tier == "this_computer"] if wanted in {"here", "aquí", "aqui"} else []
    found = found or [one for one in timed if wanted in f"{one.id} {one.title}".casefold()]
    if not found:
        raise InputError("This answer has no time for '{name}'.", name=name)
    return found[0]


def told(option: Option, true_s: float) -> Receipt:
    """Return what came of an answer by the user's own word.

    Raises:
        InputError: The answer has no time for this option, or the true time is none.
    """
    if not (math.isfinite(true_s) and true_s > 0):
        raise InputError("A run takes some time.")
    return _receipt(option, true_s, is_told=True)


def again(report: Report) -> Request:
    """Return the question of an answer, to be measured once more on this computer.

    Raises:
        InputError: It cannot be asked again.
    """
    if report.is_simulated:
        raise InputError("This answer is about a computer that was described, not about one that can be measured.")
    if is_program(report.workload.network):
        raise InputError(
            "This job runs your own Python file, which is not kept. Say how long it took, or ask about the file again."
        )
    return Request(workload=report.workload, circumstances=report.circumstances, suite="quick")


def measured_again(before: Report, after: Report) -> Receipt:
    """Return what came of an answer for this computer by a later check of the same job.

    Raises:
        InputError: The computer is another one, the job was not measured, or had no time before.
    """
    if _parts(before.machine) != _parts(after.machine):
        raise InputError("This is not the computer that the answer was about: its processor or its cards are others.")
    found = measured_option(after)
    if found is None or found.run_s is None:
        raise InputError("The job itself could not be measured here, so nothing can be said about the answer.")
    option = next((one for one in before.advice.options if one.id == found.id and one.run_s is not None), None)
    if option is None:
        raise InputError("The answer had no time for {name}.", name=found.title)
    if _taken_ratio(after, found) >= BUSY_RATIO:
        raise InputError("Other programs used too much of the processor in the meantime; close them and measure again.")
    return _receipt(option, found.run_s, is_told=False)


def track_record(entries: Iterable[Entry]) -> TrackRecord | None:
    """Return how the answers of this computer held; None where no true time is known.

    Of each option of an answer, what the user told counts before what was measured again.
    """
    judged: list[Receipt] = []
    for entry in entries:
        if entry.origin == "here":
            of_option = {one.option: one for one in sorted(entry.receipts, key=lambda one: one.how == "told")}
            judged += of_option.values()
    if not judged:
        return None
    return TrackRecord(
        count=len(judged),
        held=sum(one.holds for one in judged),
        told=sum(one.how == "told" for one in judged),
        median_off=statistics.median(abs(one.ratio - 1) for one in judged),
    )


def _receipt(option: Option, true_s: float, *, is_told: bool) -> Receipt:
    if option.run_s is None or option.interval is None:
        raise InputError("The answer had no time for {name}.", name=option.title)
    return Receipt(
        checked_at=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        option=option.id[:MOST_TEXT],
        title=option.title[:MOST_TEXT],
        is_here=option.tier == "this_computer",
        how="told" if is_told else "measured",
        said_s=option.run_s,
        interval=option.interval,
        true_s=true_s,
    )


def _taken_ratio(report: Report, option: Option) -> float:
    if report.benchmark is None or option.prediction is None:
        return 0.0
    return report.benchmark.taken_ratio(option.prediction.basis_detail)


def _parts(machine: Machine) -> tuple[str, tuple[str, ...]]:
    """Return what makes a computer another one for a job: its processor and the cards that train."""
    cards = sorted(card.name for card in machine.accelerators if card.trains)
    return machine.host.cpu.name, tuple(cards)
