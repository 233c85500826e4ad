"""The page of what several devices reach together."""

import msgspec
import pytest

from advisor import wire
from advisor.locale import language
from advisor.records.results.scaling import (
    ProblemKind,
    Scaling,
    ScalingLevel,
    ScalingLink,
    ScalingNode,
    ScalingPair,
    ScalingProblem,
    ScalingRank,
    ScalingStep,
    ScalingTiming,
)
from advisor.report.documents.scaling import problem_sentences, render_scaling

SCALING = Scaling(
    created_at="2026-11-23T03:00:00+00:00",
    program_version="0.1.0",
    backend="gloo",
    torch_version="2.13.0",
    wall_s=100.0,
    nodes=(ScalingNode(name="rack-1"), ScalingNode(name="node 2", has_slow_link=True)),
    ranks=(
        ScalingRank(node=0, device="cpu", pace_s=0.01, pace_low_s=0.01, is_slow=True),
        ScalingRank(node=1, device="cpu", pace_s=0.02),
    ),
    pairs=(ScalingPair(nodes=(0, 1), latency_s=1e-4, bytes_per_s=125e6),),
    levels=(
        ScalingLevel(
            nodes=2,
            ranks=2,
            timings=(
                ScalingTiming(
                    operation="all_reduce", size_bytes=2**24, median_s=0.1, low_s=0.1, high_s=0.1, bus_bytes_per_s=1e8
                ),
            ),
            missing=("all_to_all",),
            link=ScalingLink(latency_s=1e-4, bytes_per_s=125e6, fit_ratio=1.0),
            steps=(
                ScalingStep(
                    network="resnet50",
                    batch_size=2,
                    gradient_bytes=102_228_128,
                    alone_s=1.0,
                    together_s=1.25,
                    exchange_s=0.5,
                    hidden_ratio=0.5,
                    speedup=1.6,
                ),
            ),
        ),
    ),
)


def test_the_page_answers_first_and_names_what_is_slow() -> None:
    """Label where there is one, else the place."""
    text = " ".join(render_scaling(SCALING, "text", language("en"), width=400).decode().split())
    assert "2 devices train 1.6 times as fast as one. A message" in text
    assert "rack-1 computes more slowly" in text
    assert "The link of node 2 carries less" in text
    assert "gloo has no all-to-all." in text
    assert "1\N{NO-BREAK SPACE}Gbit/s".replace("\N{NO-BREAK SPACE}", " ") in text


@pytest.mark.parametrize("form", ["text", "html", "md"])
def test_it_is_spoken_in_spanish(form: str) -> None:
    """Every text of the page, with the place of the computer."""
    text = " ".join(render_scaling(SCALING, form, language("es")).decode().split())
    assert "nodo 2" in text
    assert "Cada uno por separado" in text
    assert "Juntos" in text


def test_networks_that_gain_differently_are_a_range() -> None:
    """From the one that gains least to the one that gains most; also where none gains anything."""
    [level] = SCALING.levels
    for first, second, said in (
        (1.6, 1.2, "train 1.2 to 1.6 times as fast as one, dep"),
        (0.9, 0.4, "0.4 to 0.9 times"),
    ):
        steps = tuple(msgspec.structs.replace(level.steps[0], speedup=speedup) for speedup in (first, second))
        levels = (msgspec.structs.replace(level, steps=steps),)
        page = render_scaling(msgspec.structs.replace(SCALING, levels=levels), "text", language("en"), width=400)
        assert said in page.decode()


def test_json_comes_back_as_it_was() -> None:
    """The record is the file."""
    content = render_scaling(SCALING, "json", language("en"))
    assert msgspec.json.decode(content, type=Scaling) == SCALING
    assert wire.scaling_schema()["title"] == "advisor scaling"


@pytest.mark.parametrize("kind", ProblemKind.__args__)  # type: ignore[attr-defined]
def test_every_problem_has_a_sentence_of_its_own(kind: ProblemKind) -> None:
    """It names the computer where it can, and stands once however often it happened."""
    problem = ScalingProblem(kind=kind, node=1, detail="detail")
    scaling = msgspec.structs.replace(SCALING, problems=(problem, problem))
    [sentence] = problem_sentences(scaling, language("en"))
    assert sentence[0].isupper()
    assert kind == "too_little_time" or "ode 2" in sentence
    assert kind != "torch_versions" or "is detail, elsewhere 2.13.0" in sentence


@pytest.mark.parametrize(("usual_s", "is_said"), [(0.013, True), (0.0105, False)])
def test_where_all_were_disturbed_nobody_is_called_well(usual_s: float, is_said: bool) -> None:
    """That nobody is named then says little, and the page says how little."""
    ranks = tuple(ScalingRank(node=node, device="cpu", pace_s=usual_s, pace_low_s=0.01) for node in (0, 1))
    page = render_scaling(msgspec.structs.replace(SCALING, ranks=ranks), "text", language("en"), width=200).decode()
    assert ("a device that takes up to 30% longer is not named" in page) == is_said
