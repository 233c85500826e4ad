"""One prediction: a network on a device, as ``advisor --predict`` asks for it."""

from typing import Any

import msgspec

from advisor.catalog import check_workload, find_device, find_workload, network_of
from advisor.catalog.epochs import assume_epochs
from advisor.catalog.learned import learned_calibrations
from advisor.catalog.spelling import plain_name
from advisor.predict import predict
from advisor.predict.coefficients import time_coefficients
from advisor.predict.interval import knows
from advisor.records.hardware.device import Device
from advisor.records.job.prediction import Prediction
from advisor.records.job.work import Network
from advisor.records.job.workload import Workload
from advisor.session.given.own_network import job_of


def predict_one(
    name: str,
    device_name: str,
    *,
    device_count: int = 1,
    batch_size: int | None = None,
    network: Network | None = None,
    **settings: Any,
) -> Prediction:
    """Return the prediction of a network, or a preset's, on a device of the catalogue.

    Args:
        name: Of a network or preset.
        device_name: Of a device; its memory may be part of it, as in ``A100 80GB``.
        device_count: Devices working together.
        batch_size: Per device; None: the workload's own, spread over the devices.
        network: The user's own, traced; it is predicted instead of the one of that name.
        settings: Fields of ``Workload`` that differ from the usual ones; those that are None count as not given.

    Raises:
        UnknownNameError: There is no such network or device; names the nearest.
        InputError: A setting does not go with the network.
        PredictionError: A figure of the device that the prediction needs is unknown.
    """
    device = find_device(device_name)
    work, workload = asked_step(name, device_count, batch_size=batch_size, network=network, **settings)
    learned = learned_calibrations().get(device.name)
    return predict(work, workload, device, device_count=device_count, calibration=learned)


def asked_step(
    name: str,
    device_count: int = 1,
    *,
    batch_size: int | None = None,
    network: Network | None = None,
    **settings: Any,
) -> tuple[Network, Workload]:
    """Return the work and the settings of the step that is asked about; arguments and errors as of ``predict_one``."""
    workload = find_workload(name).workload if network is None else job_of(network)
    changes = {field: value for field, value in settings.items() if value is not None}
    if "epochs" in changes:
        changes["epochs_are_default"] = False
    if batch_size is not None:
        changes["batch_size"] = batch_size * device_count
    if changes.get("task") == "infer":
        changes = applied_settings(name, workload, has_network=network is not None) | changes
    workload = msgspec.structs.replace(workload, **changes)
    if network is None:  # a step may hold more samples than the usual job has, but must go with its network
        check_workload(msgspec.structs.replace(workload, samples=max(workload.samples, workload.batch_size)))
    work = network_of(workload) if network is None else network
    return work, assume_epochs(workload, work.family, work.sample)


def is_measured_kind(device: Device) -> bool:
    """Return whether the model was fitted on jobs of this device, or of one of its family."""
    return any(knows(time_coefficients(), device))


LARGE_PARAMETERS = 1e9
"""Language models from here on are published in 16 bit and applied so; nobody widens their weights to 32 bit."""


def applied_settings(name: str, workload: Workload, *, has_network: bool = False) -> dict[str, Any]:
    """Return the usual settings of a job where its network is only applied, instead of those for training it.

    Args:
        name: Of a network or preset.
        workload: Its usual job.
        has_network: The network is the user's own, whose numbers are as they are.
    """
    found: dict[str, Any] = {"method": "full"} if is_packed_unasked(name, workload) else {}
    if not has_network and workload.precision in ("fp32", "amp"):
        work = network_of(workload)
        if work.family == "transformer" and work.parameters >= LARGE_PARAMETERS:
            found["precision"] = "bf16"
    return found


def is_packed_unasked(name: str, workload: Workload) -> bool:
    """Return whether only the usual job of a network packs its weights or adapts it, where the network alone was named.

    Who applies it applies it whole then; a file's job is as the file says.
    """
    is_ready_made = plain_name(name) == plain_name(workload.id) != plain_name(workload.network)
    is_job = is_ready_made or name.casefold().endswith(".toml")
    return workload.method in ("lora", "qlora") and not is_job
