"""Compile the translated texts (.po to .mo) when the package is built or installed from a checkout."""

import datetime
import io
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

EPOCH = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)
"""Written into each file instead of the moment, so that equal texts make equal files."""


class LocaleBuildHook(BuildHookInterface):
    """Write each .mo beside its .po before files are collected."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile every catalogue under resources/locale."""
        for source in Path(self.root, "resources", "locale").rglob("*.po"):
            with source.open("rb") as file:
                texts = read_po(file)
            texts.creation_date = EPOCH
            buffer = io.BytesIO()
            write_mo(buffer, texts)
            source.with_suffix(".mo").write_bytes(buffer.getvalue())
