"""How busy, hot and full is this computer right now? Samples the sensors cheaply; judges nothing, wakes nothing."""

from advisor.monitor.history import History
from advisor.monitor.monitor import Monitor, make_monitor
from advisor.monitor.summary import summarise

__all__ = ["History", "Monitor", "make_monitor", "summarise"]
