"""The models work without Qt."""

import subprocess
import sys


def test_the_models_need_no_qt() -> None:
    """All models can be imported and used where Qt is not installed."""
    names = [
        "computer",
        "live.export",
        "live.model",
        "measure",
        "options",
        "phases",
        "progress",
        "job.question",
        "names",
        "verdict",
    ]
    code = "import sys;" + ";".join(f"import advisor.gui.models.{name}" for name in names)
    code += ";assert not [m for m in sys.modules if m.startswith(('PySide6', 'pyqtgraph', 'torch'))]"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
