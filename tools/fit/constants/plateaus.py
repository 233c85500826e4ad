"""Writes into ``time.json`` what share of its peak each device reaches with its best products, where somebody measured it.

    PYTHONPATH=tools python -m fit.constants.plateaus --data ../shared/data

Then ``fit_time.py`` fits the rest with them.
"""

import argparse
import sys
from pathlib import Path

from fit.constants.export import rounded
from fit.constants.files import change
from fit.measurements.cases import best_rates, device

from advisor.predict.timing.device_rates import peaks
from advisor.predict.timing.kernels import MODES


def plateaus(folder: Path) -> dict[str, list[float]]:
    """Return the shares of the peak by name of device and mode; 0 where there is none."""
    found: dict[str, list[float]] = {}
    for (chip, mode), rate in best_rates(folder).items():
        card = device(chip)
        peak = peaks(card)[mode] if card is not None else 0.0
        if card is not None and peak > 0.0:
            found.setdefault(card.name, [0.0] * len(MODES))[mode] = rounded(rate / peak)
    return dict(sorted(found.items()))


def main() -> int:
    parser = argparse.ArgumentParser(description="Write the measured shares of the peak.")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="folder of public measurements")
    arguments = parser.parse_args()
    if not arguments.data.is_dir():
        print(f"The folder of public measurements {arguments.data} is not there; nothing was written.", file=sys.stderr)
        return 2
    change("time", plateaus=plateaus(arguments.data))
    return 0


if __name__ == "__main__":
    sys.exit(main())
