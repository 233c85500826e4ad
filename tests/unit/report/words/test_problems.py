"""Every code that any step may emit has its words."""

import ast
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from advisor.locale import language
from advisor.records.base import Gap, GapReason
from advisor.records.hardware.machine import Accelerator, Framework, Vendor
from advisor.records.job.asked_job import JOB_PROGRAM
from advisor.records.results.measured.measurement import Case, CaseFailure, Condition
from advisor.report.words import problems
from advisor.units import GIB
from tests.unit.benchmark.diagnosed import benchmark, machine, product

EN = language("en")
PROBE = Path(problems.__file__).parents[2] / "probe"


def _remedies() -> set[str]:
    """Return the remedy codes the probe may emit, read from its source."""
    found: set[str] = set()
    for path in PROBE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                found |= _remedy_arguments(node)
            elif isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "REMEDIES":
                assert isinstance(node.value, ast.Dict)
                found |= {ast.literal_eval(value) for value in node.value.values if isinstance(value, ast.Constant)}
    return found


def _remedy_arguments(call: ast.Call) -> set[str]:
    values = [keyword.value for keyword in call.keywords if keyword.arg == "remedy"]
    if isinstance(call.func, ast.Attribute) and call.func.attr == "missing":
        values += call.args[3:4]
    return {value.value for value in values if isinstance(value, ast.Constant) and isinstance(value.value, str)}


def test_each_remedy_of_the_probe_has_words() -> None:
    """Whatever the probe tells the user to do, the report can say."""
    found = _remedies()
    assert "install_nvidia_driver" in found  # the reading of the source still works
    assert found <= set(problems.REMEDIES)


def test_each_mismatch_has_its_remedy() -> None:
    """A torch that cannot use the card comes with what to do about it."""
    assert set(problems.MISMATCHES) <= set(problems.REMEDIES)
    for code in problems.MISMATCHES:
        assert problems.mismatch_sentence(code, EN).count(".") >= 2


def test_an_unknown_mismatch_is_still_a_sentence() -> None:
    """A report from another version does not break this one."""
    assert problems.mismatch_sentence("cosmic_rays", EN) == "The installed PyTorch cannot use your graphics card."


@pytest.mark.parametrize("reason", get_args(GapReason))
def test_a_gap_is_a_sentence(reason: GapReason) -> None:
    """What is not known, and why."""
    text = problems.gap_sentence(Gap(field="accelerators.0.power_limit_w", reason=reason), EN)
    assert text.startswith("Power limit of the card: ")
    assert text.endswith(".")


def test_a_gap_says_what_to_do() -> None:
    """The remedy follows the reason; an unknown one is left out."""
    gap = Gap(field="framework.version", reason="not_installed", remedy="install_torch")
    assert problems.gap_sentence(gap, EN) == "PyTorch version: not installed. Install PyTorch."
    odd = Gap(field="something.odd_thing", reason="not_found", remedy="pray")
    assert problems.gap_sentence(odd, EN) == "odd thing: not found."


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (Condition(kind="other_load", value=0.43, unit="ratio"), "Other programs used 43% of the processor."),
        (Condition(kind="memory_pressure", value=2 * 1024**3, unit="bytes"), "Only 2\xa0GB of main memory were free."),
        (Condition(kind="throttled", value=97, unit="celsius"), "The hardware slowed itself down (97\xa0°C)."),
        (Condition(kind="throttled", value=1.2e9, unit="hz"), "The hardware slowed itself down (1.2\xa0GHz)."),
        (Condition(kind="few_free_cores", value=1.5, unit="cores"), "Free processor cores: 1.5."),
        (Condition(kind="on_battery"), "The laptop ran on its battery."),
    ],
)
def test_a_condition_is_a_sentence_with_its_number(condition: Condition, expected: str) -> None:
    """What spoils a measurement stands beside it, with the number that shows it."""
    assert problems.condition_sentence(condition, EN) == expected


def test_a_failure_is_said() -> None:
    """A case without result says why."""
    failure = CaseFailure(case=Case(id="a", program="matmul"), reason="killed")
    assert "lack of memory" in problems.failure_sentence(failure, EN)


def test_what_was_not_tried_for_want_of_memory_says_how_much() -> None:
    """What it needs and what may be taken; without the numbers the reason alone."""
    failure = CaseFailure(
        case=Case(id="a", program="train"), reason="does_not_fit", needed_bytes=10 * GIB, left_bytes=0
    )
    text = problems.failure_sentence(failure, EN).replace("\N{NO-BREAK SPACE}", " ")
    assert text.startswith("not tried: it needs about 10 GB of memory; 0")
    bare = CaseFailure(case=failure.case, reason="does_not_fit")
    assert problems.failure_sentence(bare, EN) == "does not fit in memory"


@pytest.mark.parametrize(
    ("vendor", "system", "words"),
    [
        ("amd", "Linux", ("ROCm", "--torch-backend=auto", "--measuring-pack install")),
        ("amd", "Windows", ("ROCm", "rocm.docs.amd.com")),
        ("intel", "Windows", ("XPU", "/whl/xpu", "--measuring-pack install")),
        ("nvidia", "Linux", ("CUDA", "/whl/cu126", "--measuring-pack install")),
    ],
)
def test_a_torch_that_ignores_the_card_brings_its_build_and_the_command(
    vendor: Vendor, system: str, words: tuple[str, ...]
) -> None:
    """Whoever reads it need not look up which build is theirs."""
    card = Accelerator(vendor=vendor, index=0, name="Card", kind="discrete", trains=True)
    found = machine(card)
    found = msgspec.structs.replace(
        found,
        host=msgspec.structs.replace(found.host, os_name=system),
        framework=Framework(version="2.13.0", built_for="cpu", mismatch="cpu_only_build"),
    )
    text = problems.mending_sentences("cpu_only_build", found, EN)
    assert not [word for word in words if word not in text], text


def test_the_spread_is_the_number_of_its_column() -> None:
    """±7.7 % on the page was 15 % in the details of the same test."""
    condition = Condition(kind="unstable", value=0.154, unit="ratio", when="during")
    said = problems.condition_sentence(condition, EN)
    assert said == "Spread of the repetitions: ±7.7%."


@pytest.mark.parametrize(
    ("others", "said"),
    [
        (0.0, "50% of the processor while your job itself was tested, and 4% on average over the whole check; without"),
        (0.5, "50% of the processor during the tests that this computer's time rests on; without them"),
    ],
)
def test_the_share_of_the_job_alone_stands_beside_that_of_the_check(others: float, said: str) -> None:
    """An amber note on a slowed check stood beside "1 % on average" of the same check in the saved report."""

    def busy(share: float) -> tuple[Condition, ...]:
        return (Condition(kind="other_load", value=share, unit="ratio", when="during"),) if share else ()

    job = product("cpu", 1, conditions=busy(0.5))
    job = msgspec.structs.replace(job, case=msgspec.structs.replace(job.case, id="job", program=JOB_PROGRAM))
    run = benchmark(job, *(product("cpu", edge, conditions=busy(others)) for edge in range(2, 15)))
    assert said in problems.load_sentence(run, {"job"}, EN, is_untrusted=False)
