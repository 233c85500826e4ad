"""Page faults as a finding: only where they were measured, cost enough, and are the cause."""

from typing import Any

import pytest

from advisor.benchmark.diagnosis import diagnose
from advisor.locale import language
from advisor.records.results.diagnosis import Finding
from advisor.records.results.measured.measurement import Condition, Measurement
from advisor.report.words.diagnosis import finding_sentence, gain_sentence, remedy_sentence
from tests.unit.benchmark.diagnosed import benchmark, machine, measured, training
from tests.unit.report.samples import enough


def paging(**details: float) -> Measurement:
    """Return a step of which page faults take 45 % of the processor's time, and a gain of 1.9 to 2.1."""
    known = {
        "usual_s": 0.75, "kept_s": 0.375, "times_low": 1.9, "times_high": 2.1,
        "usual_page_faults": 355_782.0, "kept_page_faults": 0.0, "usual_system_ratio": 0.45, "kept_system_ratio": 0.0,
    }  # fmt: skip
    fields: dict[str, Any] = {"network": "article_cnn", "batch_size": 32, "details": known | details}
    return measured("kept_memory", "cpu", 0.375, "article_cnn", **fields)


def counted(share: float, faults: float = 355_782.0, **fields: Any) -> Measurement:
    """Return a training step of which the system takes a share."""
    return training("cpu", 0.75, details={"page_faults": faults, "system_ratio": share}, **fields)


def found(*run: Measurement) -> list[Finding]:
    """Return what is said of page faults."""
    return [f for f in diagnose(machine(), benchmark(*run)) if f.kind == "page_faults"]


def test_faults_that_cost_are_named_with_their_gain() -> None:
    """The gain is that of the pairs measured in turn, and the evidence is all from that case."""
    [one] = found(paging())

    assert one.gain is not None
    assert (one.gain.low, one.gain.high) == (1.9, 2.1)
    assert (one.severity, one.remedies) == ("moderate", ("keep_freed_memory",))
    assert {reading.source for reading in one.evidence} == {"kept_memory/article_cnn/cpu"}


@pytest.mark.parametrize(
    "details",
    [{"times_low": 1.09}, {"usual_system_ratio": 0.09}, {"times_low": 0.0}, {"usual_system_ratio": float("nan")}],
    ids=["hardly faster", "another cause", "no gain", "nonsense"],
)
def test_what_does_not_cost_is_not_named(details: dict[str, float]) -> None:
    """No finding without a gain beyond scatter and the system's own time as its cause."""
    assert found(paging(**details)) == []


@pytest.mark.parametrize(("code", "word"), [("en", "355,782"), ("es", "355.782")])
def test_sentence_has_the_numbers(code: str, word: str) -> None:
    """A user reads how many faults a step has, what they take, and both times."""
    [one] = found(paging())
    text = finding_sentence(one, enough(), language(code)).replace("\N{NO-BREAK SPACE}", " ")

    for part in (word, "45", "750 ms", "375 ms", "CNN"):
        assert part in text
    assert "MALLOC_MMAP_MAX_=0" in remedy_sentence("keep_freed_memory", language(code))


def test_faults_that_were_only_counted_have_a_bound() -> None:
    """Without the system's 43 % a step were 1.75 times as fast at most; the batch with the largest share stands for
    its network.
    """
    [one] = found(counted(0.3, batch_size=16), counted(0.43, batch_size=64))

    assert (one.form, one.network, one.remedies) == ("counted", "article_cnn", ("keep_freed_memory",))
    assert one.gain is not None
    assert (one.gain.low, one.gain.high) == (1.0, pytest.approx(1 / 0.57))
    assert one.evidence[0].value == 64


def test_other_programs_change_nothing_of_what_a_step_itself_does() -> None:
    """Of two checks of one job the quiet one told to keep memory, and the one beside other programs said nothing."""
    busy = (Condition(kind="other_load", value=0.5, unit="ratio", when="during"),)
    [alone] = found(counted(0.43))
    [beside] = found(counted(0.43, conditions=busy))
    assert (beside.gain, beside.evidence) == (alone.gain, alone.evidence)


EARLIER = {"earlier_kept_low": 1.0, "earlier_kept_high": 1.8, "earlier_page_faults": 355_782.0,
           "earlier_system_ratio": 0.44, "earlier_batch": 32.0}  # fmt: skip


@pytest.mark.parametrize(
    ("share", "details", "forms"),
    [
        (0.5, {}, ["earlier"]),
        (0.0, {}, []),
        (0.5, {"earlier_other_torch": 1.0}, []),
        (0.5, {"page_faults": 355_782.0, "system_ratio": 0.26}, ["earlier"]),
    ],
    ids=["disturbed", "quiet", "another PyTorch", "counted beside others"],
)
def test_what_an_earlier_check_found_of_the_job_stays_beside_other_programs(
    share: float, details: dict[str, float], forms: list[str]
) -> None:
    """Two checks of one job, minutes apart: the second, beside other programs, had lost what the first told."""
    busy = (Condition(kind="other_load", value=share, unit="ratio", when="during"),)
    job = measured("job", "cpu", 2.6, "bert_base", "fp32", network="bert_base", batch_size=32, conditions=busy,
                   options={"task": "train"}, details=EARLIER | details)  # fmt: skip
    hits = found(job)
    assert [one.form for one in hits] == forms
    for one in hits:
        assert one.gain is not None
        assert one.gain.high == 1.8
        assert {reading.source for reading in one.evidence} == {"earlier"}
        said = finding_sentence(one, enough(), language("en")).replace("\N{NO-BREAK SPACE}", " ")
        assert "355,782 page faults a step, which took 44% of the processor's time in your earlier check" in said
        assert "Your earlier check of this job found that" in gain_sentence(one, language("en"))


@pytest.mark.parametrize(("task", "count"), [("train", 1), ("infer", 0)])
def test_the_job_itself_is_counted_where_no_time_was_left_for_more(task: str, count: int) -> None:
    """It is measured first: a check that others slowed ended before the training that had been counted alone."""
    details = {"page_faults": 355_782.0, "system_ratio": 0.43, "measured_batch": 16.0}
    job = measured("job", "cpu", 2.6, "bert_base", "amp", network="bert_base", precision="amp", batch_size=32,
                   options={"task": task}, details=details)  # fmt: skip
    hits = found(job)
    assert len(hits) == count
    assert [(one.network, one.evidence[0].value) for one in hits] == [("bert_base", 16.0)] * count


@pytest.mark.parametrize(
    "run",
    [
        (counted(0.14),),
        (counted(0.4, faults=8191.0),),
        (counted(1.0),),
        (counted(float("nan")),),
        (training("cpu", 0.75),),
    ],
    ids=["small share", "few faults", "all of it", "nonsense", "not counted"],
)
def test_counts_that_say_little_are_left_alone(run: tuple[Measurement, ...]) -> None:
    """A finding takes both a large share and blocks that are given back at once."""
    assert found(*run) == []


@pytest.mark.parametrize(("system", "count"), [("macOS", 0), ("Linux", 1), ("Debian GNU/Linux", 1)])
def test_counted_faults_are_a_matter_of_glibc(system: str, count: int) -> None:
    """Another system hands memory out otherwise, and its programs do not hear what is advised."""
    hits = diagnose(machine(os_name=system), benchmark(counted(0.4)))
    assert len([one for one in hits if one.kind == "page_faults"]) == count


def test_what_was_measured_is_not_counted_again() -> None:
    """Of a network whose gain was measured in turn that gain is said; others are counted."""
    forms = {one.network: one.form for one in found(paging(), counted(0.4), counted(0.4, network="resnet50"))}

    assert forms == {"article_cnn": "", "resnet50": "counted"}


@pytest.mark.parametrize("code", ["en", "es"])
def test_sentence_of_counted_faults(code: str) -> None:
    """A user reads batch, faults and share."""
    [one] = found(counted(0.43, batch_size=64))
    text = finding_sentence(one, enough(), language(code))

    for part in ("64", "355", "43", "CNN"):
        assert part in text
