"""Facts: what is asked, probed, measured and predicted, and that nothing is guessed."""

import msgspec
import pytest

from advisor.recommend.facts import (
    FACT_UNITS,
    chosen_facts,
    collect_facts,
    fact,
    family,
    fits,
    gpu_over_cpu,
    idle_ratio,
    is_single_gpu,
)
from advisor.records.hardware.device import Device
from advisor.records.job.workload import Circumstances
from advisor.records.results.measured.measurement import Benchmark
from advisor.units import HOUR_S, MONTH_S
from tests.unit.report.samples import (
    ARTICLE_CNN,
    ARTICLE_NETWORK,
    DEVICES,
    benchmark,
    laptop,
    memory_estimate,
    option,
)

HERE = [
    option("here/cpu", "this_computer", "a processor", 4 * HOUR_S),
    option("here/cuda:0", "this_computer", "GeForce RTX 2060 Laptop", HOUR_S, memory_gib=6, idle=0.25),
]
BOUGHT = [
    option("buy/a", "single_gpu", "a", 600.0, purchase_usd=400),
    option("buy/b", "single_gpu", "b", 900.0, purchase_usd=300),
    option("buy/c", "single_gpu", "c", 300.0, purchase_usd=3000),
]
RENTED = [
    option("rent/x/y", "cloud", "L4", 700.0, usd_per_h=1),
    option("rent/x/z", "cloud", "H100 SXM", 60.0, usd_per_h=55, count=8),
]


def _values(**changes: object) -> dict[str, object]:
    arguments: dict[str, object] = {"benchmark": None, "network": None, "small_s": 1800.0, **changes}
    options = arguments.pop("options", HERE + BOUGHT + RENTED)
    machine = arguments.pop("machine", laptop())
    workload = arguments.pop("workload", ARTICLE_CNN)
    asked = arguments.pop("circumstances", Circumstances(runs_per_month=2))
    facts = collect_facts(workload, asked, machine, options, **arguments)  # type: ignore[arg-type]
    return {name: one.value for name, one in facts.items()}


def test_every_fact_is_one_the_rules_may_name() -> None:
    """Facts found and facts known to the rules are the same list, but for those of the chosen option."""
    found = collect_facts(ARTICLE_CNN, Circumstances(), laptop(), HERE, benchmark=benchmark(), network=ARTICLE_NETWORK)
    assert set(found) | set(chosen_facts(BOUGHT[0], {"a": DEVICES["L4"]})) == set(FACT_UNITS)


def test_what_was_asked_is_a_fact() -> None:
    """The user's own words arrive unchanged, and what was not said stays unknown."""
    values = _values(circumstances=Circumstances(who="company", runs_per_month=2, budget_usd=100.0))
    assert values["is_company"] is True
    assert values["budget_usd"] == 100.0
    assert values["budget_is_stated"] is True
    assert values["deadline_s"] is None
    assert values["time_between_runs_s"] == MONTH_S / 2


def test_no_runs_have_no_time_between_them() -> None:
    """Zero runs a month do not divide by zero."""
    assert _values(circumstances=Circumstances(runs_per_month=0))["time_between_runs_s"] is None


def test_the_times_are_those_of_the_options() -> None:
    """Here, on the processor, on the card, on one card one can own, on one computer."""
    values = _values()
    assert values["time_here_s"] == HOUR_S
    assert values["time_on_processor_s"] == 4 * HOUR_S
    assert values["time_on_card_s"] == HOUR_S
    assert values["time_on_one_gpu_s"] == 600.0  # the middle one of 300, 600, 900 and 3600, lower of the two
    assert values["time_on_one_node_s"] == 60.0
    assert values["gpu_time_per_month_s"] == 1200.0


def test_what_does_not_fit_has_no_time() -> None:
    """The time of an option that the job does not fit counts nowhere."""
    small = option("here/cuda:0", "this_computer", "a", 1.0, needed_gib=8, memory_gib=4)
    values = _values(options=[HERE[0], small])
    assert values["time_on_card_s"] is None
    assert values["fits_card_here"] is False
    assert values["fits_here"] is True


def test_a_processor_without_enough_memory_makes_no_small_task() -> None:
    """A job that does not fit the processor's memory is not small, although its time is unknown."""
    values = _values(options=[option("here/cpu", "this_computer", "a", 1.0, needed_gib=80, memory_gib=16)])
    assert values["is_small"] is False
    assert values["time_on_processor_s"] is None


def test_nothing_predicted_is_nothing_known() -> None:
    """Without options, no time and no fit is made up."""
    values = _values(options=[])
    for name in ("time_here_s", "is_small", "fits_one_gpu", "fits_one_node", "memory_needed_bytes", "card_idle_ratio"):
        assert values[name] is None
    assert values["fits_card_here"] is False


def test_a_task_is_small_up_to_what_the_rules_say() -> None:
    """Where they say nothing, nobody knows."""
    assert _values(small_s=4 * HOUR_S)["is_small"] is True
    assert _values(small_s=4 * HOUR_S - 1)["is_small"] is False
    assert _values(small_s=None)["is_small"] is None


def test_classical_work_is_small() -> None:
    """Classical machine learning is the first half of scenario 1, however long it takes."""
    assert _values(workload=msgspec.structs.replace(ARTICLE_CNN, method="classical"))["is_small"] is True


def test_an_unknown_kind_of_computer_is_no_laptop_and_no_desktop() -> None:
    """Where the probe cannot tell, the fact is unknown."""
    machine = laptop()
    unknown = msgspec.structs.replace(machine, host=msgspec.structs.replace(machine.host, form_factor="unknown"))
    assert _values(machine=unknown)["is_laptop"] is None


def test_extra_facts_replace_those_found() -> None:
    """A caller that knows better wins."""
    assert _values(extra=[fact("samples", 7, "asked")])["samples"] == 7


def test_the_measured_ratio_is_that_of_the_same_work() -> None:
    """Card and processor are compared on the same network, batch, size and precision."""
    assert gpu_over_cpu(benchmark()) == pytest.approx(0.413 / 0.0429)
    assert gpu_over_cpu(benchmark(card=False)) is None
    assert gpu_over_cpu(None) is None


def test_the_articles_network_is_preferred() -> None:
    """Of several networks measured on both, the article's ratio is taken."""
    other = [
        msgspec.structs.replace(
            one, case=msgspec.structs.replace(one.case, network="lstm"), median_s=one.median_s / divisor
        )
        for one, divisor in zip(
            [m for m in benchmark().measurements if m.case.program == "train"], (1, 100), strict=True
        )
    ]
    both = Benchmark(suite="quick", started_at="", wall_s=1.0, measurements=(*other, *benchmark().measurements))
    assert gpu_over_cpu(both) == pytest.approx(0.413 / 0.0429)


@pytest.mark.parametrize(
    ("vendor", "whom", "kind", "expected"),
    [
        ("nvidia", "consumer", "gpu", "GeForce"),
        ("nvidia", "professional", "workstation_gpu", "Quadro"),
        ("nvidia", "datacenter", "datacenter_gpu", "Tesla"),
        ("amd", "consumer", "gpu", "Radeon"),
        ("amd", "datacenter", "datacenter_gpu", "Instinct"),
        ("amd", "consumer", "cpu", None),
        ("intel", "consumer", "gpu", None),
    ],
)
def test_the_articles_families(vendor: str, whom: str, kind: str, expected: str | None) -> None:
    """A device belongs to the family the article names, by maker and by whom it is made for."""
    device = Device(name="d", vendor=vendor, device_class=kind, for_whom=whom)  # type: ignore[arg-type]
    assert family(device) == expected


def test_facts_of_the_chosen_option() -> None:
    """Family, memory and limit of the answer become facts; for an unknown device only what the prediction says."""
    found = chosen_facts(RENTED[1], DEVICES)
    values = {name: one.value for name, one in found.items()}
    assert values == {
        "runs_on_gpu": True,
        "chosen_limit": "compute",
        "chosen_vendor": "nvidia",
        "chosen_family": "Tesla",
        "chosen_memory_type": "HBM",
    }
    assert set(chosen_facts(HERE[0], DEVICES)) == {"runs_on_gpu", "chosen_limit"}
    assert set(chosen_facts(option("buy/q", "single_gpu", "q", None), {})) == {"runs_on_gpu"}
    assert chosen_facts(None, DEVICES) == {}


def test_idle_share_is_the_input_part() -> None:
    """The card's waiting is read from the parts of its step."""
    assert idle_ratio(HERE[1]) == pytest.approx(0.25)
    assert idle_ratio(None) is None
    assert idle_ratio(option("buy/q", "single_gpu", "q", None)) is None


def test_fit_is_unknown_without_memory_of_the_device() -> None:
    """An estimate without the device's memory neither fits nor does not."""
    unknown = option("buy/q", "single_gpu", "q", 10.0, memory_gib=None)
    assert fits(unknown) is None
    assert fits(option("buy/q", "single_gpu", "q", None)) is None
    assert fits(option("here/cpu", "this_computer", "q", 10.0, needed_gib=None)) is True
    assert memory_estimate(8, 4).fits is False


def test_the_processor_is_no_graphics_card() -> None:
    """One accelerator is a single GPU; the processor, several cards and clusters are not."""
    assert [is_single_gpu(one) for one in (*HERE, BOUGHT[0], *RENTED)] == [False, True, True, True, False]
