"""A watched script as a question: what would make it faster, and its own step as a measurement of this computer."""

import msgspec
import pytest

from advisor.catalog import find_workload, network_of
from advisor.catalog.networks.tables import network
from advisor.records.job.workload import Circumstances, Layer
from advisor.records.results.measured.watched import WatchedJob, WatchedScript, WatchedStep
from advisor.session.watched import _called, _gains, answer
from advisor.session.watched_step import samples_a_second
from tests.gui.samples import sample_machine

NETWORK = network("resnet50")
JOB = msgspec.structs.replace(
    find_workload("resnet50").workload, precision="fp32", input_kind="memory", batch_size=16, loaders=None
)
LOADED = msgspec.structs.replace(JOB, input_kind="files", loaders=0)
STEP = WatchedStep(steps=30, step_s=2.0, wait_s=0.5)
STEP_WITHOUT_WAIT = WatchedStep(steps=30, step_s=2.0)


def script(device: str) -> WatchedScript:
    """Return what was seen of a script on a device of the article's laptop."""
    return WatchedScript(ended="enough", watched_s=60.0, step=STEP, device=device, steps_per_epoch=100, epochs=3)


def test_a_gain_is_how_many_times_as_fast() -> None:
    """On the processor its card would help; on the card a shorter format does, and the card is the one it has."""
    on_processor = _gains(NETWORK, JOB, script("cpu"), sample_machine())
    assert on_processor["card_gain"] > 3
    assert "short_format_gain" not in on_processor

    on_card = _gains(NETWORK, JOB, script("cuda:0"), sample_machine())
    assert on_card["short_format_gain"] > 1.2
    assert on_card["card_gain"] == pytest.approx(1.0)


def test_bfloat16_of_a_processor_pays_in_large_products() -> None:
    """Three layers of 4096 places and 1024 rows took 0.87 s in fp32 and 0.40 s under autocast on such a processor."""
    machine = sample_machine()
    cpu = msgspec.structs.replace(machine.host.cpu, instruction_sets=("AVX2", "AVX512F", "AVX512_BF16"))
    knows = msgspec.structs.replace(machine, host=msgspec.structs.replace(machine.host, cpu=cpu))
    layers = (Layer(kind="flatten"), *(Layer(kind="dense", size=size) for size in (4096, 4096, 10)))
    large = msgspec.structs.replace(JOB, layers=layers, image_size=26, batch_size=1024)
    network = network_of(large)
    seen = script("cpu")

    assert 1.6 < _gains(network, large, seen, knows)["short_format_gain"] <= 2.0
    assert "short_format_gain" not in _gains(network, large, seen, machine)
    few = msgspec.structs.replace(large, batch_size=8)
    assert _gains(network, few, seen, knows)["short_format_gain"] == 1.0
    short = msgspec.structs.replace(large, precision="amp")
    assert "short_format_gain" not in _gains(network, short, seen, knows)


def test_a_format_that_is_short_already_gains_nothing_more() -> None:
    """Nor is anything said of a device that is not here."""
    short = msgspec.structs.replace(JOB, precision="amp")
    assert set(_gains(NETWORK, short, script("cuda:0"), sample_machine())) == {"card_gain"}
    assert _gains(NETWORK, JOB, script("xpu:0"), sample_machine()) == {}


def test_its_own_step_is_what_was_measured_here() -> None:
    """Without its wait for data, which is no work of the device; a script without steps has no answer."""
    job = WatchedJob(script=script("cuda:0"), workload=JOB, network=NETWORK)
    report = answer(job, sample_machine(), Circumstances())
    assert report is not None
    assert report.benchmark is not None
    [own] = report.benchmark.measurements
    assert (own.median_s, own.case.device, own.case.batch_size) == (1.5, "cuda:0", 16)
    [here] = [one for one in report.advice.options if one.tier == "this_computer" and one.device.startswith("GeForce")]
    assert here.prediction is not None
    assert here.prediction.time_per_step_s == pytest.approx(1.5, rel=0.01)
    assert answer(msgspec.structs.replace(job, network=None), sample_machine(), Circumstances()) is None


def test_other_programs_make_its_own_step_less_sure() -> None:
    """Without them it would take less; what they left is used as badly again. A little of it is nothing."""
    seen = {}
    for share in (0.0, 0.05, 0.6):
        busy = msgspec.structs.replace(script("cpu"), others_ratio=share, loaders=0)
        report = answer(WatchedJob(script=busy, workload=LOADED, network=NETWORK), sample_machine(), Circumstances())
        assert report is not None
        [here] = [
            one.prediction
            for one in report.advice.options
            if one.tier == "this_computer" and not one.device.startswith("GeForce")
        ]
        assert here is not None
        assert report.benchmark is not None
        assert report.benchmark.load_ratio == (share if share > 0.1 else 0.0)
        seen[share] = here
    assert seen[0.05] == seen[0.0]
    assert seen[0.6].interval.low == pytest.approx(0.4**2 * seen[0.0].interval.low)
    assert (seen[0.0].confidence, seen[0.6].confidence) == ("good", "rough")


def test_what_the_script_waits_for_is_in_its_time() -> None:
    """Here it is as it was watched; on any other device the same loader delivers no more than here."""
    waiting = msgspec.structs.replace(script("cuda:0"), loaders=0)
    report = answer(WatchedJob(script=waiting, workload=LOADED, network=NETWORK), sample_machine(), Circumstances())
    assert report is not None
    predictions = {one.id: one.prediction for one in report.advice.options if one.prediction is not None}
    [here] = [one for one in report.advice.options if one.tier == "this_computer" and one.device.startswith("GeForce")]
    assert here.prediction is not None
    assert here.prediction.time_per_step_s == pytest.approx(2.0, rel=0.01)
    assert here.prediction.interval.low < 1.9
    assert here.prediction.interval.high > 2.1
    singles = [one for one in report.advice.options if one.prediction is not None and one.device_count == 1]
    assert len(singles) > 20
    assert all(predictions[one.id].time_per_step_s >= 0.45 for one in singles)


def test_a_rate_is_that_of_the_loader_without_the_step() -> None:
    """Without processes while the step waits; with some, what they would deliver if they never rested."""
    seen = script("cpu")
    cases = (
        ({"loaders": None}, None),
        ({"loaders": 0}, 32.0),  # 16 samples in the 0.5 s of waiting
        ({"loaders": 2}, 8.0),  # waited for: 16 in 2 s
        ({"loaders": 2, "step": STEP_WITHOUT_WAIT, "loaders_busy_ratio": 0.25}, 32.0),
        ({"loaders": 2, "step": STEP_WITHOUT_WAIT}, None),
        ({"loaders": 0, "step": STEP_WITHOUT_WAIT}, None),
        ({"loaders": 2, "step": None}, None),
    )
    for changes, expected in cases:
        assert samples_a_second(msgspec.structs.replace(seen, **changes), 16) == expected


def test_a_script_whose_name_is_no_text_is_called_all_the_same() -> None:
    """With its name as it is, no report could be written."""
    assert _called(["python", "\udcff/\udcfetrain.py"]) == "?train.py"
