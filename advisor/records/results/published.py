"""Times that others published, beside this program's own."""

from advisor.records.base import Record, Source


class BesidePublished(Record, frozen=True, kw_only=True):
    """A published time of a network, and the prediction for the same hardware and settings.

    Attributes:
        device, device_count: What it ran on.
        note: The network that was really trained, where it is a near kin.
        published_s, predicted_s: Of one step.
        source: Who published it.
    """

    device: str
    device_count: int = 1
    note: str = ""
    published_s: float
    predicted_s: float
    source: Source
