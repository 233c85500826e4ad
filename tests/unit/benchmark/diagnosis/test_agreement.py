"""The same step in several cases of a suite: they agree, or the report says that they do not."""

import math
from typing import Any

import pytest

from advisor.benchmark.diagnosis import diagnose
from advisor.locale import language
from advisor.records.results.diagnosis import Finding
from advisor.records.results.measured.measurement import Measurement, Series
from advisor.report.words.diagnosis import finding_sentence
from tests.unit.benchmark.diagnosed import benchmark, machine, measured, training
from tests.unit.report.samples import enough


def swept(step_s: float, batch_size: float = 32.0) -> Measurement:
    """Return a sweep that has this point."""
    series = (Series(x="batch_size", y="step_s", points=((batch_size, step_s),)),)
    return measured("sweep", "cpu", 1.0, "article_cnn", network="article_cnn", series=series)


def sustained(step_s: float, **fields: Any) -> Measurement:
    """Return a long run of the article's network."""
    return measured("sustained", "cpu", step_s, "article_cnn", network="article_cnn", batch_size=32, **fields)


def found(*run: Measurement) -> list[Finding]:
    """Return what is said of disagreement."""
    return [one for one in diagnose(machine(), benchmark(*run)) if one.form == "disagrees"]


def test_a_step_that_took_twice_as_long_elsewhere_is_named() -> None:
    """The slowest and the fastest case are the evidence."""
    [one] = found(training("cpu", 1.06), swept(0.52), sustained(0.49))

    values = {reading.name: (reading.value, reading.source) for reading in one.evidence}
    assert values["slow_s"] == (1.06, "train/article_cnn/fp32/cpu")
    assert values["fast_s"] == (0.49, "sustained/article_cnn/cpu")
    assert (one.kind, one.network, one.remedies) == ("unstable", "article_cnn", ("measure_again",))


@pytest.mark.parametrize(
    "other",
    [
        swept(1.2),
        swept(0.5, batch_size=16.0),
        swept(0.0),
        swept(0.5, batch_size=math.nan),
        training("cpu", 0.5, precision="amp"),
        training("cpu", 0.5, options={"channels_last": True}),
        training("cpu", 0.5, network="resnet50"),
        sustained(0.5, precision="bf16"),
    ],
    ids=["agrees", "other batch", "nothing", "nonsense", "other format", "other layout", "other network", "bf16"],
)
def test_other_steps_are_not_compared(other: Measurement) -> None:
    """Only equal steps must take equally long."""
    assert found(training("cpu", 1.0), other) == []


def test_kept_memory_is_compared_as_usual() -> None:
    """Of the steps in turn only those count in which memory was given back."""
    fields: dict[str, Any] = {"network": "article_cnn", "batch_size": 32, "details": {"usual_s": 1.0, "kept_s": 0.5}}
    kept = measured("kept_memory", "cpu", 0.5, "article_cnn", **fields)

    assert found(training("cpu", 1.0), kept) == []
    assert len(found(training("cpu", 2.0), kept)) == 1


@pytest.mark.parametrize("code", ["en", "es"])
def test_sentence_names_both_times(code: str) -> None:
    """A user reads which network, which batch, and both times."""
    [one] = found(training("cpu", 1.06), sustained(0.49))
    text = finding_sentence(one, enough(), language(code)).replace("\N{NO-BREAK SPACE}", " ")

    for part in ("CNN", "32", "490 ms", "1.06" if code == "en" else "1,06"):
        assert part in text
