"""What is left of an error once a factor is known that other measurements tell, and what a validation keeps."""

import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from advisor.catalog import find_device, network
from advisor.predict.coefficients import time_coefficients
from advisor.predict.interval import Knowledge
from advisor.predict.interval import limits as interval_limits
from advisor.records.base import Z80
from advisor.records.job.workload import Workload


@pytest.fixture(scope="module")
def limits() -> Iterator[Any]:
    """Return the module, which is no part of the package."""
    folder = str(Path(__file__).parents[3] / "tools")
    sys.path.insert(0, folder)
    from fit.judging import limits

    yield limits
    sys.path.remove(folder)


def rows(limits: Any, *figures: tuple[str, str, float]) -> list[Any]:
    """Return held-out times of cards and networks, so much too long."""
    known = {"name": "set", "held_out": "device", "computer": "", "software": "", "task": "infer", "precision": "fp32"}
    rest = {
        "channels_last": False,
        "has_unit": True,
        "is_fitted": True,
        "launch_ratio": 0.0,
        "sigma": 0.1,
        "untold": None,
    }
    return [
        limits.Row(device=device, network=net, off=math.log(ratio), untold_sigma=None, **known, **rest)
        for device, net, ratio in figures
    ]


def test_a_factor_of_a_card_is_told_by_its_other_networks(limits: Any) -> None:
    """Twice as long with every network is one factor; a network that is alone on its card tells nothing of itself."""
    found = rows(limits, ("a", "n", 2.0), ("a", "m", 2.0), ("b", "n", 3.0), ("b", "n", 3.0))
    left, told = limits.corrected(found, limits.FACTORS["card"])
    assert told.tolist() == [True, True, False, False]
    assert np.exp(left) == pytest.approx([1.0, 1.0, 3.0, 3.0])


def test_no_row_tells_its_own_factor(limits: Any) -> None:
    """Where there is one card, a network's factor comes from its other rows: chance does not become smaller."""
    left, told = limits.corrected(rows(limits, ("a", "n", 2.0), ("a", "n", 0.5)), limits.FACTORS["network"])
    assert told.all()
    assert np.exp(left) == pytest.approx([4.0, 0.25])


def test_what_one_card_shows_is_not_sure(limits: Any) -> None:
    """Half of two cards' rows inside, one card's all and the other's none: drawn anew it may be all or none."""
    inside = np.array([True] * 50 + [False] * 50)
    assert limits.sampling(inside, ["a"] * 50 + ["b"] * 50) == (0.0, 1.0)
    low, high = limits.sampling(inside, [str(index) for index in range(100)])
    assert 0.4 < low < 0.5 < high < 0.6


def test_figures_scatter_about_their_middle(limits: Any, tmp_path: Path) -> None:
    """120 and 100 a second: 20 % apart, each 9 % from their middle; what was measured once tells nothing."""
    from fit.judging.noise import noises

    header = "chip,model,task,precision,batch_size,image_or_seq,value,framework,n_devices,extra\n"
    lines = "".join(f"X,resnet50,train,fp32,8,224,{value},torch,1,\n" for value in (120, 100))
    for name in ("training_throughput_lambda", "image_models_ryujaehun", "image_models_lamikr", "image_models_timm"):
        own = lines + "Y,resnet50,train,fp32,8,224,77,torch,1,\n"
        own = own.replace("train", "infer").replace("X", "RTX 3090").replace(",\n", ",dir=1\n")
        (tmp_path / f"{name}.csv").write_text(header + own)
    for noise in noises(tmp_path).values():
        assert (noise.configurations, noise.difference_ratio) == (1, pytest.approx(0.2))
        assert noise.floor_ratio == pytest.approx(1 / 11)


def test_a_validation_keeps_each_row_with_the_interval_of_the_others(
    limits: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each portion has the width that was fitted without it; what is kept is read again as it was."""
    from fit.constants import intervals
    from fit.constants.model import Case
    from fit.judging import kept
    from fit.judging.held_out import Errors, Off

    job = Workload(id="j", title="", network="resnet50", samples=1, precision="fp32", framework_year=2024)
    cards = [find_device("RTX 3090"), find_device("RTX 4090")]
    cases = [
        Case(source="people", network=network("resnet50"), workload=job, device=card, time_s=1.0) for card in cards
    ]
    known = intervals.knowledge(cases, np.full((2, 4), 0.1), is_known_device=False, is_known_network=True)
    names = [card.name for card in cards]
    found = Errors(
        "people", "device", Off(np.array([0.1, -0.2]), known), devices=names, networks=["resnet50"] * 2, cases=cases
    )
    spread = time_coefficients().spread
    wide = type(spread)(**{name: 3.0 * getattr(spread, name) for name in spread.__struct_fields__})
    monkeypatch.setattr(kept, "KEPT", tmp_path / "build" / "held_out.jsonl")
    kept.keep([found], dict(zip(names, (0, 1), strict=True)), [spread, wide])
    first, second = kept.kept()
    assert (first.device, first.off, second.device, second.off) == (names[0], 0.1, names[1], -0.2)
    assert second.sigma > 2.0 * first.sigma
    assert first.launch_ratio == pytest.approx(0.1)


def test_a_shipped_table_of_timm_is_judged_at_its_own_edge_alone(limits: Any) -> None:
    """It needs no second trace; at another edge than the packed one, and of a name nobody knows, there is none."""
    from fit.measurements.cases import timm_network

    found = timm_network("convnextv2_base", 224)
    assert found is not None
    assert (found.name, found.image_size) == ("convnextv2_base", 224)
    assert timm_network("convnextv2_base", 230) is timm_network("convnextv9_base", 224) is None


def test_a_judgement_counts_with_the_widths_that_the_program_says(limits: Any) -> None:
    """Compiled networks and the tuning of language models were judged by narrower intervals than anybody is told."""
    from fit.constants import intervals

    def known(**changes: Any) -> Knowledge:
        return Knowledge(
            device=find_device("RTX 3090"),
            workload=Workload(id="j", title="", network="n", samples=1, method="lora", compiled=True),
            launch_ratio=0.1,
            convolution_ratio=0.1,
            is_known_device=False,
            is_known_family=True,
            is_known_network=False,
            is_single_operation=False,
            device_count=1,
            **changes,
        )

    spread = time_coefficients().spread
    asked = [known(), known(is_language_model=True), known(is_language_model=True, optimizer_ratio=0.3)]
    told = [interval_limits(spread, one) for one in asked]
    for side, off in enumerate((0.1, -0.1)):
        found = intervals.limits(asked, spread, np.full(len(asked), off))
        assert found == pytest.approx([one[side] for one in told])
        assert told[1][side] > math.hypot(told[0][side], 0.49 * Z80)
