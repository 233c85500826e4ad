"""Samples and models of them."""

from advisor.records.hardware.telemetry import AcceleratorSample


def plain(text: str) -> str:
    """Return a text with ordinary blanks."""
    return text.replace("\N{NO-BREAK SPACE}", " ")


def card(**changes: object) -> AcceleratorSample:
    """Return an NVIDIA card about which nothing is known but what is given."""
    known: dict[str, object] = {"vendor": "nvidia", "index": 0, "name": "NVIDIA H100"}
    return AcceleratorSample(**(known | changes))  # type: ignore[arg-type]
