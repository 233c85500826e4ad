"""What was found is said in sentences: every kind, every form, every remedy, with their numbers."""

import ast
import itertools
import re
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from hypothesis import given, settings

from advisor.benchmark.diagnosis import diagnose, rules
from advisor.locale import Language, language
from advisor.records.base import Evidence, Interval
from advisor.records.hardware.machine import Machine
from advisor.records.job.advice import Reason
from advisor.records.results.diagnosis import Finding, FindingKind, Reading, RemedyCode, Severity
from advisor.records.results.measured.measurement import Benchmark
from advisor.records.results.report import Report
from advisor.report.content.sections import diagnosis
from advisor.report.formats.write import render
from advisor.report.words.advice.reasons import reason_sentence
from advisor.report.words.diagnosis import (
    REMEDIES,
    SENTENCES,
    TITLES,
    evidence_phrase,
    finding_sentence,
    finding_title,
    gain_sentence,
    reading_phrase,
    remedy_sentence,
)
from tests.unit.benchmark.diagnosed import RUNS, machines
from tests.unit.report.samples import enough, slowed

EN, ES = language("en"), language("es")
PLACE = re.compile(r"\{(\w+)\}")
SOURCE = Path(rules.__file__).parent
KINDS = (*SENTENCES, *(f"wrong_torch_build/{code}" for code in ("cpu_only_build", "card_too_old", "cosmic_rays")))
STARVED = Finding(
    kind="input_bound",
    device="cuda:0",
    severity="serious",
    evidence=(
        Reading(name="loader_samples_per_s", value=210.4, unit="samples_per_s", source="input/150/plain/workers2/cpu"),
        Reading(name="workers", value=2, source="input/150/plain/workers2/cpu"),
        Reading(name="device_samples_per_s", value=1903, unit="samples_per_s", source="train/article_cnn/cuda:0"),
    ),
    gain=Interval(low=9.04, high=9.04),
    remedies=("prepare_data", "more_cores"),
)
UNKNOWN = "How much faster that would be is not known; nothing measured here tells."


def reported(*findings: Finding) -> Report:
    """Return a report with these findings."""
    return msgspec.structs.replace(enough(), findings=findings)


def example(key: str, device: str) -> Finding:
    """Return a finding of a kind and form, with a number for each name its sentence has."""
    kind, _slash, form = key.partition("/")
    names = PLACE.findall(SENTENCES.get(key, ""))
    units = {"bytes_per_s": "bytes_per_s", "flop_per_s": "flop_per_s", "samples_per_s": "samples_per_s"}
    units |= {name: name for name in ("bytes", "celsius", "hz", "ratio", "s", "times", "w")}
    evidence = [
        Reading(name=name, value=0.5, unit=next((u for end, u in units.items() if name.endswith(f"_{end}")), ""),
                source="conditions")
        for name in names if name != "device"
    ]  # fmt: skip
    evidence = evidence or [Reading(name="cards", value=1, source="accelerators")]
    return msgspec.convert(
        {"kind": kind, "form": form, "device": device, "severity": "slight", "evidence": msgspec.to_builtins(evidence)},
        Finding,
    )


def test_every_kind_and_remedy_has_words() -> None:
    """No code without words, no words without code."""
    assert set(TITLES) == set(get_args(FindingKind))
    assert {key.split("/")[0] for key in SENTENCES} | {"wrong_torch_build"} == set(get_args(FindingKind))
    assert set(REMEDIES) == set(get_args(RemedyCode))


def test_every_form_of_the_rules_has_its_sentence() -> None:
    """The forms in the source of the rules are those the report can say."""
    forms = {key.partition("/")[2] for key in SENTENCES}
    written = {form for path in SOURCE.rglob("*.py") for form in _forms(ast.parse(path.read_text(encoding="utf-8")))}
    assert {"augmented", "sustained", "predicted", "case/unknown"} <= written  # the reading of the source still works
    assert written <= forms


def _forms(tree: ast.Module) -> set[str]:
    """Return the texts given as ``form``, and those returned by the functions that choose one."""
    values: list[ast.expr] = []
    for node in ast.walk(tree):
        match node:
            case ast.keyword(arg="form", value=value) | ast.Assign(targets=[ast.Name(id="form")], value=value):
                values.append(value)
            case ast.FunctionDef(name="_form" | "why_unstable"):
                values += [one.value for one in ast.walk(node) if isinstance(one, ast.Return) and one.value]
            case _:
                continue
    parts = [part for one in values for part in ((one.body, one.orelse) if isinstance(one, ast.IfExp) else (one,))]
    return {one.value for one in parts if isinstance(one, ast.Constant) and isinstance(one.value, str)}


@pytest.mark.parametrize("key", KINDS)
def test_each_form_is_a_sentence_on_every_device(key: str) -> None:
    """It begins with a capital, ends with a full stop, and leaves no place open, in both languages."""
    for device, spoken in itertools.product(("cpu", "cuda:0", "cuda:1"), (EN, ES)):
        one = example(key, device)
        text = finding_sentence(one, reported(one), spoken)
        assert text[0].isupper() or text[0].isdigit() or text[0] in "¿¡"
        assert text.endswith(".")
        assert not {"{", "}"} & set(text)
        assert spoken.gettext("unknown") not in text.lower().split()
        assert finding_title(one, spoken)


@pytest.mark.parametrize("spoken", [EN, ES], ids=["en", "es"])
@pytest.mark.parametrize("code", get_args(RemedyCode))
@pytest.mark.parametrize("gain", [None, Interval(low=1.5, high=2.0)], ids=["no gain", "gain"])
def test_each_remedy_is_a_sentence_with_and_without_a_gain(
    code: RemedyCode, gain: Interval | None, spoken: Language
) -> None:
    """What to do stands in the report, followed by the gain, or by that nothing tells of it."""
    one = msgspec.structs.replace(STARVED, remedies=(code,), gain=gain)
    remedy = remedy_sentence(code, spoken)
    assert remedy.endswith(".")
    disturbed = msgspec.structs.replace(reported(one), benchmark=slowed(0.2, 0.2).benchmark)
    [bullets] = diagnosis(disturbed, spoken).blocks
    text = bullets.items[0].text  # type: ignore[union-attr]
    assert remedy in text
    assert text.endswith(gain_sentence(one, spoken))
    assert any(sign.isdigit() for sign in gain_sentence(one, spoken)) == (gain is not None)


@pytest.mark.parametrize(
    ("kind", "form", "severity", "expected"),
    [
        ("capacity_bound", "job", "serious", "Without that it does not run at all."),
        ("capacity_bound", "batch", "slight", UNKNOWN),
        ("unstable", "pace", "slight", "This makes the estimate more certain, not the run faster."),
        ("wrong_torch_build", "cpu_only_build", "serious", UNKNOWN),
        (
            "wrong_torch_build",
            "cpu_only_build",
            "slight",
            "Your job would not be faster: the processor is predicted to finish it sooner.",
        ),
        ("compute_bound", "", "none", ""),
    ],
)
def test_what_is_no_factor_is_said_in_words(kind: FindingKind, form: str, severity: Severity, expected: str) -> None:
    """Each finding says what fixing it brings; where nothing is amiss, nothing is promised."""
    one = msgspec.structs.replace(STARVED, kind=kind, form=form, severity=severity, gain=None)
    assert gain_sentence(one, EN) == expected


def test_the_device_itself_may_be_the_source() -> None:
    """Its memory is its own; torch's name of it is no word for people."""
    memory = Reading(name="available_bytes", value=8e9, unit="bytes", source="cuda:0")
    one = msgspec.structs.replace(STARVED, kind="capacity_bound", form="job", evidence=(memory,))
    assert evidence_phrase(one, reported(one), EN) == "Seen in: the graphics card."


def test_the_sentence_of_the_starved_card() -> None:
    """As people say it: rounded numbers, what to do, the gain, where it was seen."""
    report = reported(STARVED)
    assert finding_sentence(STARVED, report, EN) == (
        "The loader delivers 210 images a second, the graphics card could take 1,900: more GPU would not help."
    )
    [bullets] = diagnosis(report, EN).blocks
    [item] = bullets.items  # type: ignore[union-attr]
    assert item.lead == "Waiting for data"
    assert item.text.endswith("It would be about 9 times as fast.")
    assert "store the images resized" in item.text
    assert item.source.startswith("Seen in: ")


def test_measured_rates_are_a_reason_of_the_advice() -> None:
    """The recommendation says the same numbers as the diagnosis."""
    values: dict[str, float | int | bool | str | None] = {
        "idle_ratio": 0.89,
        "tier": "this_computer",
        "loader_samples_per_s": 210.4,
        "card_samples_per_s": 1903.0,
    }
    text = reason_sentence(Reason(code="input_bound", values=values), enough(), EN)
    assert "delivers 210 samples a second" in text
    assert "could take 1,900" in text


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (1.0, 3.2, "Could be up to about 3.2 times as fast."),
        (1.5, 2.0, "It would be 1.5 to 2 times as fast."),
        (2.0, 2.01, "It would be about 2 times as fast."),
        (1.0, 1.02, "It would hardly be faster."),
    ],
)
def test_gains_in_words(low: float, high: float, expected: str) -> None:
    """A gain too small to notice is not promised."""
    one = msgspec.structs.replace(STARVED, gain=Interval(low=low, high=high))
    assert gain_sentence(one, EN) == expected


def test_what_may_be_gained_is_not_promised_in_spanish() -> None:
    """“Mejora esperable: hasta unas 1,8 veces” expects what English only says could be."""
    one = msgspec.structs.replace(STARVED, gain=Interval(low=1.0, high=1.8))
    assert gain_sentence(one, ES) == "Podría llegar a ir unas 1,8 veces más rápido."


@pytest.mark.parametrize(
    ("unit", "value", "expected"),
    [
        ("flop_per_s", 9.2e10, "92\xa0GFLOP/s"),
        ("bytes_per_s", 1.94e10, "19\xa0GB/s"),
        ("samples_per_s", 1903.0, "1,900"),
        ("flop_per_byte", 13.46, "13\xa0FLOP/B"),
        ("bytes", 6 * 1024**3, "6\xa0GB"),
        ("s", 0.0123, "12.3 ms"),
        ("s", 61.0, "1 minute"),
        ("hz", 1.8e9, "1.8\xa0GHz"),
        ("celsius", 87.0, "87\xa0°C"),
        ("w", 79.6, "80\xa0W"),
        ("ratio", 0.43, "43%"),
        ("times", 1.25, "1.2"),
        ("", 12.0, "12"),
        ("", 6.13, "6.1"),
    ],
)
def test_numbers_are_said_with_their_unit(unit: str, value: float, expected: str) -> None:
    """Each unit of a reading has its way of being said."""
    assert reading_phrase(Reading(name="n", value=value, unit=unit, source="x"), EN) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("train/article_cnn/32/cuda:0", "Training CNN, batch 32, fp32, on the graphics card"),
        ("matmul/fp32/*/cuda:0", "the large matrix products, fp32, on the graphics card"),
        ("catalogue", "published figures"),
        ("accelerators.0.pcie", "nvmlDeviceGetCurrPcieLinkWidth"),
        ("accelerators.0.memory_bytes", "Memory of the card"),
        ("train/unknown/cpu", "train/unknown/cpu"),
        ("somewhere", "somewhere"),
    ],
)
def test_where_a_number_was_seen(source: str, expected: str) -> None:
    """A case by its title, a probed field by what was read, the rest in words; each once."""
    read = Evidence(field="accelerators.0.pcie", how="nvmlDeviceGetCurrPcieLinkWidth")
    report = msgspec.structs.replace(enough(), machine=msgspec.structs.replace(enough().machine, evidence=(read,)))
    readings = tuple(Reading(name=name, value=1, source=source) for name in ("one", "two"))
    one = msgspec.structs.replace(STARVED, evidence=readings)
    assert evidence_phrase(one, report, EN) == f"Seen in: {expected}."


@pytest.mark.parametrize("form", ["text", "md", "html"])
def test_the_section_is_in_every_format(form: str) -> None:
    """The report says it whatever it is written as; without findings there is no section."""
    heading, sentence = "What holds this computer back", "could take 1,900"
    text = " ".join(render(reported(STARVED), form, EN).decode().split())  # type: ignore[arg-type]
    assert heading in text
    assert sentence in text
    assert heading not in render(enough(), form, EN).decode()  # type: ignore[arg-type]


def test_a_form_of_another_version_is_still_a_sentence() -> None:
    """A report written by a later version does not break this one."""
    one = msgspec.structs.replace(STARVED, form="telepathic")
    assert finding_sentence(one, reported(one), EN).startswith("The loader delivers 210")


@settings(max_examples=60)
@given(machines(), RUNS)
def test_whatever_is_found_can_be_said(computer: Machine, run: Benchmark | None) -> None:
    """The rules give each sentence all the numbers it names."""
    for one in diagnose(computer, run):
        if one.kind != "wrong_torch_build":
            key = f"{one.kind}/{one.form}" if one.form else one.kind
            named = set(PLACE.findall(SENTENCES[key])) - {"device"}
            assert named <= {reading.name for reading in one.evidence}
        assert finding_sentence(one, reported(one), EN)
