"""Writes into ``time.json`` what share of its peak each device reaches with its best products, where somebody measured it.

    PYTHONPATH=tools python -m fit.constants.plateaus --data ../shared/data

Others with the same chip reach as much. Then ``fit_time.py`` fits the rest with them.
"""

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path

from fit.constants.export import rounded
from fit.constants.files import change
from fit.measurements.cases import best_rates, device

from advisor.catalog import devices
from advisor.predict.timing.device_rates import peaks
from advisor.predict.timing.kernels import MODES, VECTOR
from advisor.records.hardware.device import Device

_MEASURED_AS = {"Jetson Orin Nano": "Jetson Orin Nano Super"}
"""What was measured in 2025 under the one name reached more than its 15 W allow, in fp32 and in bf16."""
_SAME = 1.05
"""Rates that differ by no more are those of one chip."""
_POWER = 1.34
"""One that is allowed more times as much power for its rate reaches more of it: an L40S of 350 W and an L40 of 300 W are
alike, a GTX 1650 of 75 W and its laptop chip of 35 W are not."""


def plateaus(folder: Path) -> dict[str, list[float]]:
    """Return the shares of the peak by name of device and mode; 0 where there is none."""
    found: dict[str, list[float]] = {}
    for (chip, mode), rate in best_rates(folder).items():
        card = device(_MEASURED_AS.get(chip, chip))
        peak = peaks(card)[mode] if card is not None else 0.0
        if card is not None and peak > 0.0:
            found.setdefault(card.name, [0.0] * len(MODES))[mode] = rounded(rate / peak)
    return dict(sorted(found.items()))


def with_twins(measured: Mapping[str, list[float]]) -> dict[str, list[float]]:
    """Return the shares with those of devices that nobody measured, but others with their chip.

    Two sizes of memory are the same chip, and all modules of one Jetson are parts of one. What one of them computes at
    another rate in a mode, by its data sheet, says nothing there.
    """
    known = [one for one in devices() if one.name in measured]
    found = dict(measured)
    for card in devices():
        twins = [one for one in known if _is_twin(card, one)]
        if twins and card.name not in found:
            twin = min(twins, key=lambda one: _apart(_power(one), _power(card)))
            alike = [
                _apart(*(peaks(one)[mode] / _vector(one) for one in (card, twin))) < _SAME for mode in range(len(MODES))
            ]
            shares = zip(measured[twin.name], alike, strict=True)
            found[card.name] = [share if is_alike else 0.0 for share, is_alike in shares]
    return dict(sorted(found.items()))


def _is_twin(card: Device, other: Device) -> bool:
    kind = (card.vendor, card.architecture, card.device_class)
    if kind != (other.vendor, other.architecture, other.device_class) or None in (_power(card), _power(other)):
        return False
    is_chip = (
        card.multiprocessors == other.multiprocessors is not None and _apart(_vector(card), _vector(other)) < _SAME
    )
    is_module = card.device_class == "soc" and card.vendor == "nvidia"
    return (is_chip or is_module) and _apart(_power(card), _power(other)) < _POWER


def _vector(card: Device) -> float:
    return max(peaks(card)[VECTOR], 1.0)


def _power(card: Device) -> float | None:
    """Return the power for each unit of the rate."""
    return None if card.power_w is None else card.power_w / _vector(card)


def _apart(one: float | None, other: float | None) -> float:
    """Return how many times as much the larger of two is; equal zeros are alike."""
    least, most = sorted((one or 0.0, other or 0.0))
    return 1.0 if most == 0.0 else most / least if least > 0.0 else float("inf")


def main() -> int:
    parser = argparse.ArgumentParser(description="Write the measured shares of the peak.")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="folder of public measurements")
    arguments = parser.parse_args()
    if not arguments.data.is_dir():
        print(f"The folder of public measurements {arguments.data} is not there; nothing was written.", file=sys.stderr)
        return 2
    change("time", plateaus=with_twins(plateaus(arguments.data)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
