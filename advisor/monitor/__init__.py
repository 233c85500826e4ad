"""How busy, hot and full is this computer right now? Samples the sensors cheaply; judges nothing, wakes nothing."""

from advisor.monitor.history import History
from advisor.monitor.monitor import Monitor, make_monitor
from advisor.monitor.processes import CardUser
from advisor.monitor.sensor_watch import SensorWatch
from advisor.monitor.summary import nothing_seen, over_time, summarise
from advisor.monitor.timeline import Strip, Timeline

__all__ = [
    "CardUser",
    "History",
    "Monitor",
    "SensorWatch",
    "Strip",
    "Timeline",
    "make_monitor",
    "nothing_seen",
    "over_time",
    "summarise",
]
