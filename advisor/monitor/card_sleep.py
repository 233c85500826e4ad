"""Let a sleeping card sleep: read its power state without touching it, and leave an idle one alone at times.

Reading the sensors of a card keeps it powered: NVML's open handle holds it awake, and amdgpu's files wake it. So the
power state is read first, from the kernel's own bookkeeping, and a card that idles and may power down is left alone
for a while.
"""

from typing import Literal

from advisor.monitor.source import Files

PowerState = Literal["awake", "asleep", "unknown"]

IDLE_BEFORE_REST_S = 10.0
LONGEST_REST_S = 15.0


def power_state(files: Files, pci_address: str) -> PowerState:
    """Return whether a PCI device is powered, without waking it.

    Check: ``cat /sys/bus/pci/devices/0000:01:00.0/power/runtime_status``
    """
    status = files.text(f"sys/bus/pci/devices/{pci_address}/power/runtime_status")
    if status in {"suspended", "suspending"}:
        return "asleep"
    return "awake" if status in {"active", "resuming"} else "unknown"


def may_power_down(files: Files, pci_address: str) -> bool:
    """Return whether the kernel is allowed to power the device down by itself.

    Check: ``cat /sys/bus/pci/devices/0000:01:00.0/power/control``
    """
    return files.text(f"sys/bus/pci/devices/{pci_address}/power/control") == "auto"


class RestPolicy:
    """When to leave an idle card alone so that it can power down, and when to look again.

    After ``IDLE_BEFORE_REST_S`` without work it rests. It is looked at again when it slept and woke, or when it has not
    fallen asleep within ``LONGEST_REST_S``: then somebody else keeps it awake.
    """

    def __init__(self) -> None:
        self._idle_since_s: float | None = None
        self._resting_since_s: float | None = None
        self._slept = False

    def is_resting(self, now_s: float, state: PowerState) -> bool:
        """Return whether to leave the card alone now."""
        if state == "asleep":
            self._slept = True
            return True
        if self._resting_since_s is None:
            return False
        if self._slept or now_s - self._resting_since_s >= LONGEST_REST_S:
            self.wake()
            return False
        return True

    def note(self, now_s: float, *, is_idle: bool, can_sleep: bool) -> bool:
        """Take in what a reading showed; return whether the rest begins now."""
        if not (is_idle and can_sleep):
            self._idle_since_s = None
            return False
        if self._idle_since_s is None:
            self._idle_since_s = now_s
        if now_s - self._idle_since_s < IDLE_BEFORE_REST_S:
            return False
        self._resting_since_s, self._slept = now_s, False
        return True

    def wake(self) -> None:
        """Look at the card from now on."""
        self._idle_since_s = self._resting_since_s = None
        self._slept = False
