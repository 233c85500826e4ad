"""Jobs that no program does on some devices."""

import msgspec
import pytest

from advisor.catalog import find_device, find_workload, network, network_of
from advisor.errors import PredictionError
from advisor.predict import Target, is_supported, predict, predict_many
from advisor.records.hardware.device import Device
from advisor.records.job.workload import Workload


@pytest.mark.parametrize(
    ("job", "device", "is_possible"),
    [
        ("classical_ml", "EPYC 9654", True),
        ("classical_ml", "RTX 4090", True),
        ("classical_ml", "Radeon RX 580", True),
        ("classical_ml", "Arc A770 16GB", True),
        ("classical_ml", "Apple M1 Max", False),
        ("classical_ml", "Gaudi 2", False),
        ("classical_ml", "TPU v4", False),
        ("llm_7b_qlora", "EPYC 9654", True),
        ("llm_7b_qlora", "GTX 1080 Ti", True),
        ("llm_7b_qlora", "GTX 980", False),
        ("llm_7b_qlora", "Radeon RX 7900 XTX", True),
        ("llm_7b_qlora", "Apple M1 Max", True),
        ("llm_7b_qlora", "Gaudi 2", True),
        ("llm_7b_qlora", "TPU v4", False),
        ("llm_7b_lora", "TPU v4", True),
        ("resnet50", "GTX 980", True),
    ],
)
def test_what_programs_can_use(job: str, device: str, is_possible: bool) -> None:
    """Trees grow on processors and ordinary graphics cards; four bits need Pascal or newer, or another maker's card."""
    assert is_supported(find_device(device), find_workload(job).workload) is is_possible


def test_what_is_not_known_of_a_card_speaks_for_it() -> None:
    """A card of the open database has no list of frameworks, and perhaps no capability."""
    card = Device(name="x", vendor="nvidia", device_class="gpu", for_whom="consumer")
    assert is_supported(card, find_workload("classical_ml").workload)
    assert is_supported(card, find_workload("llm_7b_qlora").workload)


@pytest.mark.parametrize(("job", "words"), [("classical_ml", "Gradient boosting"), ("llm_7b_qlora", "bitsandbytes")])
def test_a_prediction_of_such_a_job_is_refused_in_a_sentence(job: str, words: str) -> None:
    """It says why, and on what."""
    workload = find_workload(job).workload
    with pytest.raises(PredictionError, match=rf"{words}.*TPU v4|TPU v4.*{words}"):
        predict(network_of(workload), workload, find_device("TPU v4"))


@pytest.mark.parametrize(("device", "images_per_s"), [("TPU v3", 1130.0), ("TPU v4", 1450.0)])
def test_xla_chooses_the_layouts_and_fuses_on_a_tpu(device: str, images_per_s: float) -> None:
    """As published for ResNet-50 with pytorch/xla (pull requests 4030, 4474 and 5720); told 657 and 1,010 before."""
    plain = Workload(id="xla", title="xla", network="resnet50", samples=128, batch_size=128, precision="bf16")
    jobs = [plain, msgspec.structs.replace(plain, channels_last=True), msgspec.structs.replace(plain, compiled=True)]
    found = [predict(network("resnet50"), job, find_device(device)) for job in jobs]
    assert len({one.time_per_step_s for one in found}) == 1
    assert found[0].interval.low < 128 / images_per_s < found[0].interval.high
    assert found[0].samples_per_s == pytest.approx(images_per_s, rel=0.2)


def test_other_targets_beside_a_tpu_keep_their_own_way() -> None:
    """Predictions come back in the order of the targets, each as if it had been asked alone."""
    job = Workload(id="xla", title="xla", network="resnet50", samples=128, batch_size=128, precision="bf16")
    targets = [Target(find_device(name)) for name in ("RTX 4090", "TPU v4", "A100 PCIe 80GB", "TPU v3")]
    together = predict_many(network("resnet50"), job, targets)
    assert together == [predict_many(network("resnet50"), job, [target])[0] for target in targets]
