"""Find the files shipped with the program, in a checkout, an installed wheel and a frozen application."""

import sys
from functools import cache
from pathlib import Path

from advisor.errors import CatalogError

APPLICATION = "advisor"
"""Name of this program's folders for data, settings and logs."""


@cache
def resource_root() -> Path:
    """Return the folder that holds catalog/, rules/, locale/ and the other shipped files.

    Raises:
        CatalogError: The program was installed without them.
    """
    package = Path(__file__).resolve().parent
    candidates = [package / "_resources", package.parent / "resources"]
    frozen_root = getattr(sys, "_MEIPASS", None)
    if frozen_root is not None:
        candidates.insert(0, Path(frozen_root) / "advisor" / "_resources")
    for candidate in candidates:
        if (candidate / "catalog").is_dir():
            return candidate
    raise CatalogError("The program's own data files are missing; please install it again.")


def resource_path(*parts: str) -> Path:
    """Return the path of one shipped file or folder, such as ``resource_path("rules", "rules.toml")``."""
    return resource_root().joinpath(*parts)
