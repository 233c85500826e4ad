"""What was asked of a prediction and changes nothing in it: who sets it should not read a difference out of it."""

from collections.abc import Iterator, Mapping
from typing import Any

from advisor.locale import Language
from advisor.records.hardware.device import Device
from advisor.records.job.work import Network

_CONVOLUTIONS = frozenset({"conv", "depthwise_conv"})
_OF_TRAINING = ("checkpointing", "fused_optimizer", "method", "optimizer")
_OF_RUNS = ("samples", "epochs")


def without_effect(
    given: Mapping[str, Any], network: Network, device: Device, task: str, language: Language
) -> Iterator[str]:
    """Yield a sentence for each setting that was given and changes nothing in the time of a step.

    Args:
        given: Fields of the workload that were set, with their values.
        network: What is predicted.
        device: On what.
        task: ``train`` or ``infer``.
        language: Of the sentences.
    """
    _ = language.gettext
    if "attention" in given and network.attention is None:
        yield _("--attention changes nothing: {network} has no attention.").format(network=network.name)
    if given.get("channels_last") and not any(one.kind in _CONVOLUTIONS for one in network.operations):
        yield _("--channels-last changes nothing: {network} has no convolutions.").format(network=network.name)
    if given.get("precision") == "tf32" and not device.peak_flop_per_s.get("tf32"):
        yield _("{device} has no TF32: it computes in fp32.").format(device=device.name)
    if task == "infer" and (idle := _spelled(_OF_TRAINING, given)):
        yield _("Without effect at inference, which learns nothing: {options}.").format(options=language.listed(idle))
    if idle := _spelled(_OF_RUNS, given):
        text = _("Without effect on the time of a step: {options}. The time of a whole run: advisor --report.")
        yield text.format(options=language.listed(idle))


def _spelled(names: tuple[str, ...], given: Mapping[str, Any]) -> list[str]:
    return [f"--{name.replace('_', '-')}" for name in names if name in given]
