"""A network that is known by its table is run as its operations: the same arithmetic, of the same sizes."""

import sys
from typing import Any

import pytest
import torch

from advisor.catalog import network_of
from advisor.records.channel import CaseResult
from advisor.records.job.asked_job import AskedJob, step_flop
from advisor.records.job.work import Operation
from advisor.records.job.workload import Workload
from tests.unit.worker.job.test_step import run
from tests.unit.worker.whole import Silent

pytestmark = pytest.mark.torch
BATCH = 2


def known(name: str, **fields: Any) -> AskedJob:
    """Return a job with a network of the catalogue."""
    usual: dict[str, Any] = {"id": "own", "title": "own", "network": name, "samples": 100, "batch_size": BATCH}
    workload = Workload(**(usual | fields))
    return AskedJob(workload=workload, network=network_of(workload))


def is_grouped(one: Operation) -> bool:
    """Return whether this is a convolution in groups."""
    return one.kind in ("conv", "depthwise_conv") and one.shape[6] > 1


SMALL = {"image_size": 64}
TEXT = {"sequence_length": 16}


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("simple_cnn", {}),
        ("resnet18", SMALL),
        ("resnet18", SMALL | {"channels_last": True}),
        ("mobilenet_v2", SMALL),
        ("resnext50_32x4d", {}),
        ("segmentation_unet", SMALL),
        ("gpt2", TEXT | {"attention": "decomposed"}),
        ("stacked_lstm", {}),
    ],
)
def test_a_step_has_the_arithmetic_of_its_table(name: str, fields: dict[str, Any]) -> None:
    """Products, convolutions and their gradients do as many FLOP as the network's own step, to 1 %."""
    import torch
    from torch.utils.flop_counter import FlopCounterMode

    from advisor.worker.job.replay_kernels import Kernels

    job = known(name, **fields)
    # torch's counter takes the gradients of grouped convolutions for those of whole ones.
    operations = [one for one in job.network.operations if one.phase == "forward" or not is_grouped(one)]
    kernels = Kernels(torch.device("cpu"), torch.float32, torch.float32, is_last=job.workload.channels_last)
    counted = 0.0
    with torch.no_grad():
        for one in operations:
            kernel = kernels.of(one, BATCH)
            with FlopCounterMode(display=False) as counter:
                kernel()
            counted += one.count * counter.get_total_flops()
    arithmetic = {"gemm", "conv", "depthwise_conv"}
    expected = sum(
        one.count * (one.flop_per_sample * BATCH + one.flop_fixed) for one in operations if one.kind in arithmetic
    )
    assert counted == pytest.approx(expected, rel=0.01)
    assert step_flop(job.workload, job.network, BATCH) >= expected


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("bert_base", TEXT),
        ("bert_base", TEXT | {"task": "infer", "optimizer": "none"}),
        ("bert_base", TEXT | {"precision": "amp"}),
        ("densenet121", SMALL | {"precision": "bf16"}),
        ("gnmt", TEXT),
        ("ssd300", {}),
    ],
)
def test_every_kind_of_network_runs(name: str, fields: dict[str, Any]) -> None:
    """With little time a part is measured, and the share is said."""
    result: CaseResult = run(known(name, **fields), budget_s=0.5)

    assert 0 < result.details["measured_ratio"] <= 1
    assert result.samples_s[0] > 0


def test_a_network_of_seven_billion_parameters_is_measured_in_part() -> None:
    """Of QLoRA no weight's gradient is computed; what ran was a part of a sample, and the answer is for all."""
    fields = {"method": "qlora", "checkpointing": True, "precision": "bf16", "sequence_length": 64}
    result = run(known("llama_7b", **fields), budget_s=1.0)

    assert result.details["measured_batch"] <= BATCH
    assert 0 < result.details["measured_ratio"] <= 1
    assert result.samples_s[0] > 0.1


def test_whole_steps_follow_where_there_is_time() -> None:
    """A small network is run in order, several times."""
    result = run(known("simple_cnn"), budget_s=6.0)

    assert result.details["measured_ratio"] == 1.0
    assert len(result.samples_s) >= 2


@pytest.mark.skipif(sys.platform == "win32", reason="getrusage is POSIX")
def test_whole_steps_count_their_page_faults() -> None:
    """What others take of the processor is not in it, and the job is timed before all else."""
    details = run(known("simple_cnn"), budget_s=6.0).details
    assert details["page_faults"] >= 0
    assert 0 <= details["system_ratio"] < 1


def test_an_optimizer_of_many_parameters_is_judged_by_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else it took all the time there was, and of a language model nothing else was measured."""
    from advisor.worker.job import optimizers, replay

    made: list[int] = []
    real = optimizers.optimizer_named

    def counting(name: Any, parameters: list[Any], **settings: Any) -> Any:
        made.append(sum(parameter.numel() for parameter in parameters))
        return real(name, parameters, **settings)

    monkeypatch.setattr(replay, "optimizer_named", counting)
    monkeypatch.setattr(replay, "block_timer", lambda update, _device: lambda _count: 0.5)
    job = known("llama_7b", method="lora", sequence_length=16)
    few_s = replay._timed_update(job, torch.device("cpu"), Silent(), 0.01).step_s
    assert len(made) == 1
    assert 1_000_000 < made[0] < 3_000_000
    assert few_s == pytest.approx(0.5 * replay._LORA_RATIO * job.network.parameters / replay._FEW_PARAMETERS)


def test_a_slow_operation_is_run_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time belongs to the next one."""
    from advisor.worker.job import replay

    runs: list[int] = []

    def timed(count: int) -> float:
        runs.append(count)
        return 2.0

    monkeypatch.setattr(replay, "block_timer", lambda _kernel, _device: timed)
    job = known("resnet18", image_size=32)
    result = run(job, budget_s=20.0)
    kinds = len(replay._parts(job, is_processor=True))
    assert len(runs) == kinds + 1 + replay._REPEATS
    assert result.details["measured_ratio"] == pytest.approx(1.0)
