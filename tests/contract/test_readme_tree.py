"""The tree of folders in the README is that of the program."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
ADVISOR = ROOT / "advisor"


def named_folders(readme: str) -> dict[str, list[str]]:
    """Return the names at the left of the tree, each with the folders in it that the text at the right names."""
    tree = readme.partition("## How it works")[2].split("```")[3]
    found: dict[str, list[str]] = {}
    names: list[str] = []
    for line in tree.strip().splitlines():
        names = line[:22].replace("/", " ").split() or names
        inner = re.findall(r"\b([a-z_]+)/", line[22:])
        for name in names:
            found.setdefault(name, [])
        found[names[0]] += inner
    return found


def folders_in(place: Path) -> set[str]:
    """Return the packages in a folder."""
    return {one.name for one in place.iterdir() if (one / "__init__.py").exists()}


def test_every_folder_that_the_tree_names_is_there() -> None:
    """A name at the left is a folder or a module of the program, one with a slash in the text is in that folder."""
    tree = named_folders((ROOT / "README.md").read_text(encoding="utf-8"))
    there = folders_in(ADVISOR) | {one.stem for one in ADVISOR.glob("*.py")}
    assert set(tree) <= there
    for name, inner in tree.items():
        assert set(inner) <= (folders_in(ADVISOR / name) if (ADVISOR / name).is_dir() else set()), name


def test_no_folder_is_missing_in_the_tree() -> None:
    """Each folder of the program, and each within one whose line names some, has its word."""
    tree = named_folders((ROOT / "README.md").read_text(encoding="utf-8"))
    assert folders_in(ADVISOR) <= set(tree)
    for name, inner in tree.items():
        assert not inner or folders_in(ADVISOR / name) <= set(inner), name
