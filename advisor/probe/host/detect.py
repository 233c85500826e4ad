"""What computer is around the accelerators? Chooses the way of this operating system; knows nothing of accelerators."""

from advisor.probe.evidence_log import EvidenceLog
from advisor.probe.host.linux import probe_linux
from advisor.probe.host.macos import probe_macos
from advisor.probe.host.windows import probe_windows
from advisor.probe.readers import Readers
from advisor.records.hardware.machine import Host


def probe_host(readers: Readers, log: EvidenceLog) -> Host:
    """Return the computer, and note in the log how each fact was read."""
    ways = {"linux": probe_linux, "windows": probe_windows, "macos": probe_macos}
    return ways[readers.platform](readers, log)
