"""Samples shared by the tests of conditions, processor_load."""

from typing import Any

from advisor.probe.conditions import check_conditions
from advisor.probe.readers import Readers
from advisor.records.results.measured.measurement import Condition
from tests.unit.probe.computers.fakes import RecordedFiles, no_command

CORES = 8
CPUINFO = "\n".join(f"processor : {i}\nvendor_id : AuthenticAMD\nmodel name : X\n" for i in range(CORES))


class Computer:
    """A Linux computer whose counters the test turns; waiting moves time and the counters on."""

    def __init__(self, others: float = 0.0, own: float = 0.0, stolen: float = 0.0, **files: str) -> None:
        self.others, self.own, self.stolen, self.now_s = others, own, stolen, 1000.0
        self.files = {
            "/proc/cpuinfo": CPUINFO,
            "/proc/meminfo": "MemTotal: 33554432 kB\nMemAvailable: 25165824 kB",
            "/proc/self/status": "Cpus_allowed_list: 0-7",
        } | {"/" + name.replace("__", "/"): text for name, text in files.items()}
        self.recorded = RecordedFiles(self.files, {})
        self._own_s = self._other_s = self._stolen_s = 0.0
        self.sleep(0.0)

    def sleep(self, seconds: float) -> None:
        """Let time pass: the programs use their share of it."""
        self.now_s += seconds
        self._own_s += self.own * seconds
        self._other_s += self.others * seconds
        self._stolen_s += self.stolen * seconds
        busy = round((self._own_s + self._other_s) * 100)
        self.recorded.files["/proc/stat"] = f"cpu  {busy} 0 0 999999 5 0 0 {round(self._stolen_s * 100)} 0 0"
        half = round(self._own_s * 50)
        fields = "S 1 0 0 0 0 0 0 0 0 0"
        self.recorded.files["/proc/1234/stat"] = f"1234 (python (x)) {fields} {half} 0 0 0"
        self.recorded.files["/proc/1300/stat"] = f"1300 (worker) {fields.replace('S 1 ', 'S 1234 ')} 0 {half} 0 0"

    def readers(self, nvml: Any = None) -> Readers:
        """Return readers of this computer."""
        return Readers(platform="linux", architecture="x86_64", files=self.recorded, process_id=1234, run=no_command,
                       nvml=lambda: nvml)  # fmt: skip

    def check(self, **options: Any) -> dict[str, Condition]:
        """Return the conditions by kind."""
        when = options.pop("when", "before")
        nvml = options.pop("nvml", None)
        found = check_conditions(
            when, readers=self.readers(nvml), sleep=self.sleep, clock=lambda: self.now_s, **options
        )
        return {condition.kind: condition for condition in found}
