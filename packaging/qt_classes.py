"""Run in the frozen program before PyInstaller's own hooks, one of which loads Qt before any module of ours."""

import advisor.gui  # noqa: F401 - says how Qt's classes are made
