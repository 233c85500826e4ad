"""Set up every test: Qt paints into memory, and nothing a test starts outlives it."""

import os

# Before anything imports Qt: no test needs a display.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# The tests read English unless they ask for something else, whatever the developer's own language.
os.environ["LANGUAGE"] = "en_US"
