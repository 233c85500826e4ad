"""What several groups of measurements share: which measurements, and the words for formats, rates and memory."""

from collections.abc import Iterator

from advisor.locale import Language
from advisor.records.results.measured.measurement import Benchmark, Case, Measurement, Series
from advisor.report.words import quantities
from advisor.report.words.cases import device_title

NOTHING = "–"


def of_program(benchmark: Benchmark, *programs: str) -> Iterator[Measurement]:
    """Yield the measurements of some programs, in the order of the suite."""
    return (one for one in benchmark.measurements if one.case.program in programs and one.median_s > 0)


def has_several_devices(benchmark: Benchmark) -> bool:
    """Return whether a table has to name the device of each row."""
    devices = {one.case.device for one in benchmark.measurements}
    return len({device for device in devices if not device.startswith("xla")}) > 1


def device_cell(case: Case, benchmark: Benchmark, language: Language) -> str:
    """Return the device of a case; empty where there is only one, so that the column goes.

    What JAX uses is always named: it may be the device of the other rows.
    """
    is_named = case.device.startswith("xla") or has_several_devices(benchmark)
    return device_title(case.device, language) if is_named else ""


def format_of_case(case: Case) -> str:
    """Return the number format of a case and its layout of images, such as ``amp (bf16), channels_last``."""
    short = case.options.get("autocast")
    text = f"{case.precision} ({short})" if isinstance(short, str) else str(case.precision)
    return f"{text}, channels_last" if case.options.get("channels_last") else text


def series_of(one: Measurement, y: str) -> Series | None:
    """Return a curve of a measurement by what it shows; None where it has none with a point."""
    return next((series for series in one.series if series.y == y and series.points), None)


def rate(value: float | None, language: Language) -> str:
    """Return a rate such as images a second, with three figures."""
    return NOTHING if value is None else language.significant(value, 3)


def byte_rate(bytes_per_s: float, language: Language) -> str:
    """Return a speed of data in thousand million bytes a second."""
    return f"{language.significant(bytes_per_s / 1e9, 3)}\N{NO-BREAK SPACE}GB/s"


def times(ratio: float, language: Language) -> str:
    """Return a factor as tables write it, such as ``1.8 ×``."""
    return f"{quantities.factor(ratio, language)}\N{NO-BREAK SPACE}×"


def memory(size_bytes: float | None, language: Language) -> str:
    """Return an amount of memory; a dash where it is not known."""
    return NOTHING if size_bytes is None else quantities.memory(size_bytes, language)
