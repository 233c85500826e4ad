"""Set up every test: Qt paints into memory, and nothing a test starts outlives it."""

import atexit
import os
import shutil
import tempfile

# Before anything imports Qt: no test needs a display.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# The tests read English unless they ask for something else, whatever the developer's own language.
os.environ["LANGUAGE"] = "en_US"
# Nothing a test starts, in whatever process, touches the developer's own history or packs.
os.environ["XDG_DATA_HOME"] = tempfile.mkdtemp(prefix="advisor-tests-")
atexit.register(shutil.rmtree, os.environ["XDG_DATA_HOME"], ignore_errors=True)
