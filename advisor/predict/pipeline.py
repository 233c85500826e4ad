"""How many images per second a processor can decode, resize and augment for the device."""

from advisor.predict.coefficients import input_coefficients
from advisor.records.base import Interval
from advisor.records.prediction import InputRate
from advisor.records.workload import Workload


def input_rate(workload: Workload, cores: float) -> InputRate | None:
    """Return what ``cores`` hardware threads deliver with one worker each; None where nothing has to be decoded.

    The interval covers larger photographs and fewer workers (slower), and small pictures or faster decoders.
    """
    if workload.input_kind != "jpeg":
        return None
    constants = input_coefficients()
    per_core = constants.augmented_images_per_s if workload.augmentation else constants.plain_images_per_s
    rate = per_core * max(cores, 1.0)
    return InputRate(
        samples_per_s=rate,
        interval=Interval(low=rate / constants.slower, high=rate * constants.faster),
        workers=cores,
    )
