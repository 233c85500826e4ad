"""What the diagnosis looks at in predictions and in tables of work: rates, memory, kernels, traffic."""

from advisor.records.base import Interval
from advisor.records.job.prediction import InputRate, Prediction
from advisor.records.job.work import Network
from advisor.records.results.diagnosis import Outlook, StepTraffic

_ARITHMETIC = frozenset({"gemm", "conv", "depthwise_conv", "attention", "recurrent"})


def outlook_of(
    device: str, prediction: Prediction, input_rate: InputRate | None, *, together: Prediction | None = None
) -> Outlook:
    """Return what is expected of the user's job on a device of this computer, by torch's name of it.

    Args:
        device: torch's name.
        prediction: Of the job on it alone.
        input_rate: What the processor delivers; None where nothing has to be prepared.
        together: Of the job on all devices of its kind together, which hold more than one does; None: it is alone.
    """
    waiting_s = sum(part.time_s for part in prediction.parts if part.name == "input")
    ready_s = prediction.time_per_step_s - waiting_s
    spread = prediction.interval.high / prediction.time_per_step_s
    rate = prediction.batch_size * prediction.device_count / ready_s if ready_s > 0 else None
    memory = (together or prediction).memory
    return Outlook(
        device=device,
        limit=prediction.limit,
        device_samples_per_s=None if rate is None else Interval(low=rate / spread, high=rate * spread),
        loader_samples_per_s=None if input_rate is None else _delivered(input_rate),
        waiting_ratio=waiting_s / prediction.time_per_step_s if waiting_s > 0 and ready_s > 0 else None,
        needed_bytes=None if memory is None else memory.interval,
        predicted_bytes=None if memory is None else memory.total_bytes,
        available_bytes=None if memory is None else memory.available_bytes,
        how_to_fit=() if memory is None else tuple(code for code in memory.how_to_fit if code != "shard"),
    )


def _delivered(rate: InputRate) -> Interval:
    return rate.interval or Interval(low=rate.samples_per_s, high=rate.samples_per_s)


def kernels_of(network: Network) -> float:
    """Return the operations of one training step on an accelerator, without those of the optimizer."""
    return float(sum(operation.count * operation.kernels for operation in network.operations))


def traffic_of(network: Network) -> StepTraffic:
    """Return the bytes one training step moves, apart for what computes and what hardly does."""
    arithmetic = [one for one in network.operations if one.kind in _ARITHMETIC]
    others = [one for one in network.operations if one.kind not in _ARITHMETIC]
    return StepTraffic(
        arithmetic_per_sample=sum(one.count * one.bytes_per_sample for one in arithmetic),
        arithmetic_fixed=sum(one.count * one.bytes_fixed for one in arithmetic),
        other_per_sample=sum(one.count * one.bytes_per_sample for one in others),
        other_fixed=sum(one.count * one.bytes_fixed for one in others),
    )
