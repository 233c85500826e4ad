"""What was measured of the user's own job on this computer, where the answer's time rests on it."""

from advisor.locale import N_, Language
from advisor.records.job.advice import Option
from advisor.records.job.asked_job import JOB_PROGRAM
from advisor.records.results.measured.measurement import Measurement, undisturbed_s
from advisor.records.results.own_computer import best_here
from advisor.records.results.report import Report
from advisor.report.words.advice.verdict import chosen_option
from advisor.report.words.cases import case_title, worked_out_phrase
from advisor.report.words.problems import failure_sentence

_WAITS_RATIO = 1.1
"""A step that takes so many times as long as its computing waits for its data."""


def measured_sentence(report: Report, language: Language) -> str:
    """Return what was measured of the job itself on this computer; empty where its time rests on something else."""
    option, one = measured_option(report), measured_job(report)
    if option is None or one is None:
        return ""
    batch, step_s = one.case.batch_size, undisturbed_s(one)
    whole_s = 0.0 if option.prediction is None else option.prediction.time_per_step_s
    text = language.gettext("{measured}: {rate} samples a second")
    if batch == report.workload.batch_size and whole_s > _WAITS_RATIO * step_s:
        text = language.gettext("{measured}: {rate} samples a second with the loading of its data, {alone} without")
        step_s = whole_s
    rate, alone = (language.significant(batch / time_s, 3) for time_s in (step_s, undisturbed_s(one)))
    measured = language.gettext(_measured_what(report))
    said = (text.format(measured=measured, rate=rate, alone=alone), worked_out_phrase(one, language))
    return "; ".join(filter(None, said)) + "."


def worked_out_sentence(report: Report, language: Language) -> str:
    """Return what the time here rests on where the job itself was not measured; empty where no test bears it."""
    here = chosen_option(report)
    if report.benchmark is None or here is None or here.tier != "this_computer" or here.prediction is None:
        return ""
    rests_on = set(here.prediction.basis_detail) if here.prediction.basis == "scaled" else set()
    tests = [one.case for one in report.benchmark.measurements if one.case.id in rests_on]
    if not tests:
        return ""
    if len(tests) == 1:
        text = language.gettext("The time of a run is worked out from one test of this computer: “{test}”.")
        return text.format(test=case_title(tests[0], language))
    text = language.gettext("The time of a run is worked out from several tests of this computer ({n}).")
    return text.format(n=language.number(len(tests)))


def unused_sentence(report: Report, language: Language) -> str:
    """Return why the answer does without what was tried of the job on this computer; empty where it does not."""
    best = best_here(report)
    if report.benchmark is None or best is None or best.prediction is None or measured_option(report) is not None:
        return ""
    tried = {one.case.id for one in report.benchmark.measurements if one.case.program == JOB_PROGRAM}
    if cases := tried & set(best.prediction.basis_detail):
        text = language.gettext(
            "This job was measured, but other programs took {share} of the processor meanwhile, so the answer does "
            "without it: close them and measure again."
        )
        return text.format(share=language.percent(report.benchmark.taken_ratio(cases)))
    asked = (JOB_PROGRAM, report.workload.network, report.workload.precision)
    for failure in report.benchmark.failures:
        if (failure.case.program, failure.case.network, failure.case.precision) == asked:
            text = language.gettext("This job could not be measured: {reason}.")
            return text.format(reason=failure_sentence(failure, language))
    return ""


def _measured_what(report: Report) -> str:
    """Return what was measured: without data of the user's, their network with made-up ones."""
    if report.data is not None:
        return N_("Your own job was measured here")
    if report.workload.input_kind == "jpeg":
        return N_("The network of your job was measured here, with made-up photos")
    return N_("The network of your job was measured here, with made-up data")


def measured_option(report: Report) -> Option | None:
    """Return the option on this computer whose time is that of the measured job: the chosen one, else the fastest."""
    found = [
        option
        for option in report.advice.options
        if option.tier == "this_computer" and option.run_s is not None and _job_cases(report, option)
    ]
    chosen = chosen_option(report)
    if chosen is not None and chosen.tier == "this_computer" and chosen not in found:
        return None  # what another of its devices was measured at says nothing of the answer
    return chosen if chosen in found else min(found, key=lambda one: one.run_s or 0.0, default=None)


def measured_job(report: Report) -> Measurement | None:
    """Return the measured step of the job that the answer's time here rests on; None where it rests on none."""
    option = measured_option(report)
    if option is None or report.benchmark is None:
        return None
    return next(one for one in report.benchmark.measurements if one.case.id in _job_cases(report, option))


def _job_cases(report: Report, option: Option) -> set[str]:
    """Return the cases that measured the job itself, of those an option's time rests on."""
    prediction = option.prediction
    if report.benchmark is None or prediction is None or prediction.basis != "measured":
        return set()
    measured = {one.case.id for one in report.benchmark.measurements if one.case.program == JOB_PROGRAM}
    return measured & set(prediction.basis_detail)
