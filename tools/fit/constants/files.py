"""The files that fits read and write: where the last fit ended, and the constants that the program reads."""

import json
from pathlib import Path
from typing import Any

FITTED = Path(__file__).with_name("fitted_time.json")
"""Every parameter of time, where the last fit ended; the next one starts there."""
CALIBRATION = Path(__file__).resolve().parents[3] / "resources" / "catalog" / "calibration"
"""Constants that the program reads, a file for each kind."""


def fitted(kind: str) -> dict[str, float]:
    """Return the parameters of ``accelerators`` or ``processors`` by name."""
    return dict(json.loads(FITTED.read_text(encoding="utf-8"))[kind])


def write(name: str, content: dict[str, Any]) -> None:
    """Write a file of constants."""
    write_json(CALIBRATION / f"{name}.json", content)


def change(name: str, **parts: Any) -> None:
    """Write some parts of a file of constants anew, and leave the others as they are."""
    content = json.loads((CALIBRATION / f"{name}.json").read_text(encoding="utf-8"))
    write(name, content | parts)


def write_json(path: Path, content: dict[str, Any]) -> None:
    """Write a file as those of constants are."""
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
