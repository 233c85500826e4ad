"""Which computers take part, and how a worker is started there."""

import sys
from pathlib import Path

import pytest

from advisor.errors import InputError
from advisor.scaling.nodes import (
    SSH,
    Node,
    check_template,
    launch_command,
    nodes_from_file,
    nodes_from_text,
)


def test_labels_stand_before_addresses() -> None:
    """A report names labels only."""
    assert nodes_from_text("rack-1=10.0.0.1, b") == (
        Node(name="rack-1", address="10.0.0.1", label="rack-1"),
        Node(name="b", address="b"),
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "No computer"),
        ("a,a", "twice"),
        ("=a", "not a computer"),
        ("-oX", "no"),
        ("a\0,b", "not a computer"),
        ("a\nb", "^'a\nb' is not a computer"),  # as it was written, not 'a=a'
    ],
)
def test_what_is_no_list_of_computers(text: str, said: str) -> None:
    """One sentence says what is wrong; an address that ssh would take for an option is refused."""
    with pytest.raises(InputError, match=said):
        nodes_from_text(text)


def test_a_hostfile_of_mpi_is_read(tmp_path: Path) -> None:
    """Remarks and slots are passed over."""
    path = tmp_path / "hosts"
    path.write_text("# rack 1\nleft=10.0.0.1 slots=4\n\n10.0.0.2  # new\n")
    assert [node.address for node in nodes_from_file(path)] == ["10.0.0.1", "10.0.0.2"]


def test_ssh_gets_one_word_and_others_get_all() -> None:
    """A remote shell takes the words apart again."""
    node = Node(name="a", address="10.0.0.1")
    assert launch_command(SSH, node)[-2:] == ("10.0.0.1", f"{sys.executable} -P -m advisor --worker")
    command = launch_command("ip netns exec {name} {command}", node)
    assert command == ("ip", "netns", "exec", "a", sys.executable, "-P", "-m", "advisor", "--worker")


@pytest.mark.parametrize("template", ["no-such-program {address}", "ssh '{address}"])
def test_templates_that_cannot_work(template: str) -> None:
    """They are refused before anything is started."""
    with pytest.raises(InputError):
        check_template(template)


def test_a_template_that_names_no_computer_is_shown_one() -> None:
    """Its braces as they are to be written."""
    with pytest.raises(InputError, match=r"such as: ssh \{address\} \{command\}$"):
        check_template("env true")
