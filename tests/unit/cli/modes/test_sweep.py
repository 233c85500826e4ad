"""``advisor --sweep`` on the screen."""

import pytest

from advisor.cli import main


def test_a_shard_on_the_screen(capfd: pytest.CaptureFixture[str]) -> None:
    """The first begins with the names of the columns, so that the parts in a row are the table."""
    asked = ["--lang", "en", "--sweep", "--workload", "simple_cnn", "--shard"]
    assert main([*asked, "1/200"]) == 0
    first = capfd.readouterr().out.splitlines()
    assert main([*asked, "2/200"]) == 0
    second = capfd.readouterr().out.splitlines()
    assert first[0].startswith("job,device,devices,batch_size")
    assert all(line.startswith("simple_cnn,") for line in [*first[1:], *second])
    assert len(second) > 1


@pytest.mark.parametrize("text", ["0/3", "4/3", "1", "a/b", "1/0"])
def test_what_is_no_part(text: str, capfd: pytest.CaptureFixture[str]) -> None:
    """It is said."""
    assert main(["--lang", "en", "--sweep", "--shard", text]) == 2
    assert "not a part such as 3/8" in capfd.readouterr().err
