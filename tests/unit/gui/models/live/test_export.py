"""The live page's file of numbers."""

import io

import msgspec

from advisor.gui.models.live.export import write_csv
from advisor.gui.models.phases import PhaseModel
from advisor.monitor.monitor import Monitor
from advisor.monitor.timeline import Timeline
from advisor.records.events import CaseStarted
from advisor.units import GIB
from tests.fakes.measured import matmul_case
from tests.gui.samples import WavyCards, WavyHost


def test_the_file_holds_numbers_and_nothing_else() -> None:
    """SI units, one row a sample, the test that ran, and no name of a user, program or computer."""
    timeline = Timeline()
    monitor = Monitor(WavyHost(), (WavyCards(),), clock=iter([5.0, 5.0, 6.0, 6.0, 6.0]).__next__)
    for _turn in range(2):
        timeline.append(msgspec.structs.replace(monitor.sample(), time_s=5.0 + _turn))
    phases = PhaseModel()
    phases.handle_event(CaseStarted(case=matmul_case(256), index=0, count=1, remaining_s=5.0), 5.5)
    file = io.StringIO()

    write_csv(file, timeline.since(0.0), phases)

    header, first, second = (line.split(",") for line in file.getvalue().splitlines())
    assert header[0] == "time_s"
    assert {"host.cpu_ratio", "accelerators.0.power_w", "host.cores_ratio.11", "case"} <= set(header)
    assert (first[0], second[0]) == ("0.000", "1.000")
    assert (first[-1], second[-1]) == ("", matmul_case(256).id)
    assert float(first[header.index("host.memory_used_bytes")]) > 4 * GIB
