"""Where predicted times, memory and costs come from: what went in, what they rest on, and how sure they are."""

import math
from collections.abc import Iterator

from msgspec.structs import replace

from advisor.locale import Language
from advisor.records.job.advice import Option
from advisor.records.job.prediction import Prediction
from advisor.records.job.workload import Workload
from advisor.records.results.measured.measurement import (
    DISTURBED_RATIO,
    Measurement,
    is_slowed,
    is_told_by_earlier,
)
from advisor.records.results.report import Report
from advisor.report.provenance.check_command import predict_command, report_command
from advisor.report.provenance.record import Provenance
from advisor.report.words import quantities
from advisor.report.words.advice.doubt import doubt_sentence
from advisor.report.words.cases import case_title, measurement_phrase
from advisor.report.words.labels import (
    PRICES,
    basis_phrase,
    limit_phrase,
    option_confidence,
    option_sureness,
    option_title,
    part_phrase,
    spoken_date,
)
from advisor.report.words.learned import rests_on
from advisor.report.words.problems import condition_sentence, load_average, load_sentence
from advisor.report.words.samples import epoch_count

_MOST_CASES = 4
_HERE = "this_computer"
_LOADS = frozenset({"other_load", "stolen_time"})
_ROUNDED = 0.01
"""Share by which a time must differ from what is said of it for who adds its parts up to see it."""
_MULTIPLIED_FIGURES = 4
"""Figures of a time that is multiplied by hundreds of steps: with three the product is seconds off the sum below."""
_NEARLY_FULL = 0.9995
"""Share of full steps from which nobody sees that an epoch ends with a part of one."""


def of_time(option: Option, report: Report, language: Language) -> Provenance:
    """Return where the time of a run comes from."""
    _ = language.gettext
    value = "–" if option.run_s is None else quantities.duration(option.run_s, language)
    prediction = option.prediction
    if prediction is None:
        return Provenance(title=_("Time of one run"), value=value, method=_("This time cannot be predicted."))
    band, low, high = option_confidence(option, language), None, None
    if option.interval is not None and option.run_s is not None:
        span = quantities.range_around(option.run_s, option.interval.low, option.interval.high, language)
        low, high = option.interval.low, option.interval.high
        sure = option_sureness(option, language)
        text = _("{low_to_high}, in {share} of cases; {confidence}")
        band = text.format(low_to_high=span, share=language.percent(option.interval.coverage_ratio), confidence=sure)
    method = _("time of one step × number of steps; what holds it back: {limit}")
    if prediction.validation_step_s:
        method = _("time of one step × number of steps, and the batches of validation; what holds it back: {limit}")
    return Provenance(
        figure=option_pointer(option, report, "run_s"),
        title=_("Time of one run on {option}").format(option=option_title(option, language)),
        value=value,
        basis=rests_on(prediction, language),
        inputs=(
            *_doubts(option, report, language),
            *_disturbances(option, prediction, report, language),
            *_job_inputs(prediction, report, language),
            *_in_all(option, language),
            *_case_inputs(prediction, report, language),
        ),
        method=method.format(limit=limit_phrase(prediction.limit, language)),
        source=_device_source(option, language),
        date=_measured_on(prediction, report, language),
        band=band,
        low=low,
        high=high,
        check=_command(option, report, is_time=True),
    )


def of_memory(option: Option, report: Report, language: Language) -> Provenance:
    """Return where the memory a run needs comes from, and how to check it."""
    _ = language.gettext
    memory = option.prediction.memory if option.prediction is not None else None
    if memory is None:
        return Provenance(title=_("Memory of one run"), value="–", method=_("This memory cannot be predicted."))
    parts = (
        (_("Network and optimizer"), memory.parameters_bytes + memory.gradients_bytes + memory.optimizer_bytes),
        (_("Results kept for learning"), memory.activations_bytes),
        (_("Work space"), memory.temporary_bytes),
        (_("Driver and PyTorch"), memory.context_bytes),
    )
    low, high = (quantities.memory(end, language) for end in (memory.interval.low, memory.interval.high))
    return Provenance(
        figure=option_pointer(option, report, "prediction/memory/total_bytes"),
        title=_("Memory of one run on {option}").format(option=option_title(option, language)),
        value=quantities.memory(memory.total_bytes, language),
        basis=basis_phrase("modelled", language),
        inputs=tuple((name, quantities.memory(size, language)) for name, size in parts),
        method=_("the sum of these parts, counted from the network's layers"),
        band=_("{low} to {high}").format(low=low, high=high),
        low=memory.interval.low,
        high=memory.interval.high,
        check=_command(option, report, is_time=False),
    )


def of_job(text: str, report: Report, language: Language) -> Provenance:
    """Return where the numbers of the question come from."""
    _ = language.gettext
    return Provenance(
        figure="/workload",
        title=_("What was asked"),
        value=text,
        basis=_("as it was asked; what was not said is as usual for such a job"),
        check=report_command(report),
    )


def of_step(prediction: Prediction, option: Option, report: Report, language: Language) -> Provenance:
    """Return where the time of a step, its parts and its interval come from."""
    _ = language.gettext
    step = quantities.exact_seconds(prediction.time_per_step_s, language)
    parts = ((part_phrase(part.name, language), part.time_s) for part in prediction.parts if part.time_s > 0)
    return replace(
        of_time(option, report, language),
        figure=option_pointer(option, report, "prediction/time_per_step_s"),
        title=_("One step"),
        value=step,
        inputs=tuple((name, quantities.exact_seconds(time_s, language)) for name, time_s in parts),
        low=prediction.interval.low,
        high=prediction.interval.high,
    )


def of_prices(text: str, report: Report, language: Language) -> Provenance:
    """Return where the prices of the options and their days come from."""
    _ = language.gettext
    days = report.prices_as_of.items()
    return Provenance(
        figure="/prices_as_of",
        title=_("Prices"),
        value=text,
        basis=basis_phrase("published", language),
        inputs=tuple((_(PRICES.get(kind, kind)), spoken_date(day, language)) for kind, day in days),
        method=_("of each kind the oldest day; amounts in dollars are changed at the rate of its day"),
        source=_("the providers' price lists, and launch or street prices in the catalogue"),
        check="advisor --list offers",
    )


def option_pointer(option: Option, report: Report, field: str) -> str:
    """Return where a number of an option stands in the JSON report; empty where the option is not in it."""
    place = next((place for place, one in enumerate(report.advice.options) if one.id == option.id), None)
    return "" if place is None else f"/advice/options/{place}/{field}"


def _job_inputs(prediction: Prediction, report: Report, language: Language) -> tuple[tuple[str, str], ...]:
    _ = language.gettext
    work = report.workload
    epochs = epoch_count(work, language)
    each = (_("Samples × epochs"), f"{language.number(work.samples)} × {epochs}")
    if work.steps_per_epoch is not None:
        each = (_("Steps of an epoch × epochs"), f"{language.number(work.steps_per_epoch)} × {epochs}")
    return (
        each,
        (_("Batch"), language.number(work.batch_size)),
        (_("Steps"), _steps(work, language)),
        (_("Precision"), prediction.precision),
        (_step_name(prediction, report, language), _multiplied(prediction.time_per_step_s, language)),
        *_validation(prediction, work, language),
    )


def _multiplied(time_s: float, language: Language) -> str:
    return quantities.exact_seconds(time_s, language, _MULTIPLIED_FIGURES)


def _step_name(prediction: Prediction, report: Report, language: Language) -> str:
    """Return what a step is called: of an earlier check, beside this one's that other programs slowed, it is said."""
    is_earlier = report.benchmark is not None and report.benchmark.slowed_times(prediction.basis_detail) > 1.0
    return language.gettext("One step in the earlier check") if is_earlier else language.gettext("One step")


def _in_all(option: Option, language: Language) -> Iterator[tuple[str, str]]:
    """Yield what steps and validation come to, where who adds them up gets another time than the rounded one."""
    run_s = option.run_s or 0.0
    if run_s >= quantities.CLOCK_S and abs(quantities.spoken_s(run_s) - run_s) > _ROUNDED * run_s:
        text = language.gettext("{exact}, rounded to {rounded}")
        exact, rounded = quantities.clock_time(run_s), quantities.duration(run_s, language)
        yield language.gettext("In all"), text.format(exact=exact, rounded=rounded)


def _steps(work: Workload, language: Language) -> str:
    """Return the steps of a run, and how many full ones they take as long as where each epoch ends with a part."""
    of_epoch = work.steps_per_epoch or math.ceil(work.samples / work.batch_size)
    steps = math.ceil(of_epoch * work.epochs)
    if work.total_steps > _NEARLY_FULL * steps:
        return language.number(steps)
    text = language.gettext("{n}, not all of them full: as long as {full} full ones")
    return text.format(n=language.number(steps), full=language.significant(work.total_steps, _MULTIPLIED_FIGURES))


def _validation(prediction: Prediction, work: Workload, language: Language) -> Iterator[tuple[str, str]]:
    """Yield what is looked at without learning from it, and how long a batch of that takes."""
    if prediction.validation_step_s:
        text = language.gettext("{samples} samples after each epoch: in all {n} batches of {time}")
        yield (
            language.gettext("Validation"),
            text.format(
                samples=language.number(work.validation_samples),
                n=language.significant(work.validation_steps, 3),
                time=_multiplied(prediction.validation_step_s, language),
            ),
        )


def _case_inputs(prediction: Prediction, report: Report, language: Language) -> tuple[tuple[str, str], ...]:
    """Return the measurements a time was scaled from, the first few by name."""
    if report.benchmark is None or prediction.basis == "modelled":
        return ()
    wanted = set(prediction.basis_detail)
    used = [one for one in report.benchmark.measurements if one.case.id in wanted]
    rows = [(_case_name(one, language), measurement_phrase(_told(one), language)) for one in used[:_MOST_CASES]]
    more = len(used) - len(rows)
    if more > 0:
        text = language.ngettext("{n} more measurement", "{n} more measurements", more)
        rows.append((language.gettext("And"), text.format(n=more)))
    return tuple(rows)


def _case_name(one: Measurement, language: Language) -> str:
    """Return what a measurement is called, with that others slowed it, or that it is that of an earlier check."""
    title = case_title(one.case, language)
    if is_told_by_earlier(one):
        return language.gettext("{test}, in an earlier check").format(test=title)
    return language.gettext("{test}, now, beside other programs").format(test=title) if is_slowed(one) else title


def _told(one: Measurement) -> Measurement:
    """Return a measurement with the time that is told: of an earlier check, where others slowed this one more."""
    earlier_s = one.details.get("earlier_s", 0.0) if is_told_by_earlier(one) else 0.0
    if earlier_s <= 0:
        return one
    rate = None if one.flop_per_s is None else one.flop_per_s * one.median_s / earlier_s
    items = None if one.items_per_s is None else one.items_per_s * one.median_s / earlier_s
    return replace(one, median_s=earlier_s, iqr_s=0.0, flop_per_s=rate, items_per_s=items)


def _disturbances(
    option: Option, prediction: Prediction, report: Report, language: Language
) -> Iterator[tuple[str, str]]:
    """Yield what was in the way while the cases were measured that a time of this computer rests on."""
    if report.benchmark is None or option.tier != _HERE:
        return
    wanted = set(prediction.basis_detail)
    used = [one for one in report.benchmark.measurements if one.case.id in wanted]
    kinds = {one.kind: one for measured in used for one in measured.conditions if one.kind not in _LOADS}
    is_untrusted = option.id == "here/cpu" and report.benchmark.leaves_too_little(wanted)
    is_loaded = report.benchmark.taken_ratio(wanted) > 0
    load = [load_sentence(report.benchmark, wanted, language, is_untrusted=is_untrusted)] if is_loaded else []
    if not load and _is_disturbed_beside(option, report):
        load = [load_average(report.benchmark.load_ratio, (), language)]
    said = " ".join((*load, *(condition_sentence(one, language) for one in kinds.values())))
    if said:
        yield language.gettext("What interfered"), said


def _is_disturbed_beside(option: Option, report: Report) -> bool:
    """Return whether others took a share of a check that is worth a word, but none of what a time here rests on."""
    if report.benchmark is None or option.tier != _HERE or option.prediction is None:
        return False
    wanted = set(option.prediction.basis_detail)
    rests_here = any(one.case.id in wanted for one in report.benchmark.measurements)
    return rests_here and report.benchmark.load_ratio >= DISTURBED_RATIO > report.benchmark.taken_ratio(wanted)


def _doubts(option: Option, report: Report, language: Language) -> Iterator[tuple[str, str]]:
    """Yield what makes the range of a time wide, but for other programs, which are said to be in the way."""
    said = doubt_sentence(option, report, language)
    is_in_the_way = option.prediction is not None and any(
        said in text for _name, text in _disturbances(option, option.prediction, report, language)
    )
    if said and not is_in_the_way:
        if _is_disturbed_beside(option, report):
            others = language.gettext("Other programs also disturbed the check.")
            said = f"{said} {others}"
        yield language.gettext("Why not more certain"), said


def _measured_on(prediction: Prediction, report: Report, language: Language) -> str:
    if report.benchmark is None or prediction.basis not in {"measured", "scaled"}:
        return ""
    return spoken_date(report.benchmark.started_at, language)


def _device_source(option: Option, language: Language) -> str:
    if option.tier == _HERE:
        return ""
    return language.gettext("the device's published specifications")


def price_day(option: Option, report: Report, language: Language) -> str:
    """Return of which day the prices are that an option's cost rests on; empty where it is not known."""
    kinds = ("electricity",) if option.tier == _HERE else ("devices", "offers")
    day = option.price_as_of or next((report.prices_as_of[kind] for kind in kinds if kind in report.prices_as_of), "")
    if not day:
        return ""
    is_day = len(day) >= len("2024-02-02")  # of some only the month is known, which takes no article in Spanish
    text = language.gettext("prices of {day}") if is_day else language.gettext("prices of {month}")
    return text.format(day=spoken_date(day, language), month=spoken_date(day, language))


def _command(option: Option, report: Report, *, is_time: bool) -> str:
    """Return the command that shows the same in the terminal; empty where none does."""
    if option.tier == _HERE:
        return report_command(report)
    return predict_command(option, report, is_time=is_time)
