"""Why a group came to nothing, from what torch says of it."""

import pytest

from advisor.records.group import GroupFault, GroupFaultReason, GroupResult, RunGroup
from advisor.worker.group.network_card import network_card_to
from advisor.worker.group.serve import GroupServer, fault_of


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (RuntimeError("The server socket has failed to listen: EADDRINUSE"), "port_taken"),
        (RuntimeError("device.cc:84] ifa != nullptr. Unable to find address for: eth7"), "no_interface"),
        (RuntimeError("ncclInternalError: Bootstrap : no socket interface found"), "no_interface"),
        (OSError("Name or service not known"), "unresolved"),
        (RuntimeError("Connection closed by peer [10.77.0.3]:4242"), "peer_gone"),
        (RuntimeError("Timed out waiting 15000ms for recv operation to complete"), "timeout"),
        (ValueError("something else"), "error"),
    ],
)
def test_faults_are_known_by_their_words(error: Exception, reason: GroupFaultReason) -> None:
    """Torch has no types for them."""
    assert fault_of(error).reason == reason


def test_a_name_that_nobody_knows_ends_in_an_answer() -> None:
    """The worker stays."""
    answer = GroupServer().answer(
        RunGroup(
            program="ping", rank=1, size=2, address="nobody.invalid", port=1, peers=("nobody.invalid", "127.0.0.1")
        )
    )
    assert isinstance(answer, GroupFault)
    assert answer.reason == "unresolved"


def test_one_worker_by_itself_measures_its_pace() -> None:
    """No group is needed for it."""
    answer = GroupServer().answer(RunGroup(program="pace", budget_s=0.01))
    assert isinstance(answer, GroupResult)
    assert answer.timings[0].operation == "pace"
    assert answer.clock_s > 1e9


def test_the_way_to_this_very_computer_is_the_loopback() -> None:
    """Its name differs by system."""
    assert network_card_to("127.0.0.1") in {"lo", "lo0", "Loopback Pseudo-Interface 1"}
