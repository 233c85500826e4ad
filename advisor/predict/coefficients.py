"""Read the fitted constants shipped with the program; every file names its sources, rows and error."""

from functools import cache
from typing import TypeVar

import msgspec

from advisor.errors import CatalogError
from advisor.resource import resource_path


class TimeCoefficients(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Constants of the time of operations."""

    fitted: str
    sources: tuple[str, ...]
    rows: int
    compute_efficiency: dict[str, float]
    tensor_efficiency: dict[str, float]
    bandwidth_efficiency: float
    kernel_s: float
    dispatch_s: float
    spread: float


class MemoryCoefficients(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Constants of the memory of a step."""

    fitted: str
    sources: tuple[str, ...]
    rows: int
    context_bytes: float
    activation_factor: float
    temporary_factor: float
    spread: float


S = TypeVar("S")


def read_coefficients(name: str, kind: type[S]) -> S:
    """Return the constants in ``resources/catalog/calibration/<name>.json``.

    Raises:
        CatalogError: The file is missing or has other fields than expected.
    """
    path = resource_path("catalog", "calibration", f"{name}.json")
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (OSError, msgspec.DecodeError) as error:
        raise CatalogError(f"The fitted constants in {path.name} cannot be read: {error}.") from error


@cache
def time_coefficients() -> TimeCoefficients:
    """Return the constants of the time of operations."""
    return read_coefficients("time", TimeCoefficients)


@cache
def memory_coefficients() -> MemoryCoefficients:
    """Return the constants of the memory of a step."""
    return read_coefficients("memory", MemoryCoefficients)
