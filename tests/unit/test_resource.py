"""The program's own files."""

from advisor.resource import resource_path, resource_root


def test_the_files_are_found_in_a_checkout() -> None:
    """One function finds them, and the folders the program reads are there."""
    assert {"catalog", "rules", "locale", "templates"} <= {path.name for path in resource_root().iterdir()}
    assert resource_path("catalog").is_dir()
