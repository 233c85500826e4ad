"""Which programs use a graphics card just now. Only their names are asked for, and nothing is kept."""

from pathlib import Path

from advisor.monitor.processes import CardUser
from tests.unit.monitor.computers.cards_in_use import make, on_card
from tests.unit.monitor.computers.fakes import nvidia_card, nvidia_tree

GIB = 1024**3


def test_programs_are_named_with_the_memory_they_hold(tmp_path: Path) -> None:
    """A program that draws and computes is listed once; what the driver does not tell is not made up."""
    nvidia_tree(tmp_path)
    unknown = 2**64 - 1
    card = nvidia_card(
        GraphicsRunningProcesses=[on_card(11, None)], ComputeRunningProcesses=[on_card(11), on_card(12, unknown)]
    )
    source, _library, _processes = make(tmp_path, card)
    source.sample(0.0, may_rest=True)

    assert set(source.users()) == {
        CardUser(position=0, name="program11", memory_bytes=GIB),
        CardUser(position=0, name="program12", memory_bytes=None),
    }


def test_a_program_is_asked_for_its_name_once(tmp_path: Path) -> None:
    """Names are kept while the program is on a card and forgotten when it leaves; an ended one has none."""
    nvidia_tree(tmp_path)
    card = nvidia_card(ComputeRunningProcesses=[on_card(11), on_card(99)])
    source, _library, processes = make(tmp_path, card)
    source.sample(0.0, may_rest=True)
    for _turn in range(5):
        users = source.users()
    assert processes.asked.count(11) == 1
    assert {user.name for user in users} == {"program11", ""}

    card["ComputeRunningProcesses"] = []
    assert source.users() == ()
    card["ComputeRunningProcesses"] = [on_card(11)]
    source.users()
    assert processes.asked.count(11) == 2
