"""What lies in a folder of training data: counted and weighed within seconds, never decoded, never named."""

from advisor.probe.dataset.survey import survey

__all__ = ["survey"]
