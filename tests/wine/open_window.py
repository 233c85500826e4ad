"""Run under Wine: open the program's window, keep a picture of each of some pages, and close it."""

import sys
import time

from advisor.gui.app.application import make_application, open_window, settings_path
from advisor.gui.backend import Backend
from advisor.gui.base.settings import load_settings

application = make_application([])
settings = load_settings(settings_path())
settings.warns_before = False
window = open_window(application, Backend(), settings)
for page in sys.argv[1:]:
    window.stack.open(page)
    until_s = time.monotonic() + 10
    while time.monotonic() < until_s:
        application.processEvents()
        time.sleep(0.02)
    window.grab().save(f"{page}.png")
window.close()
sys.stdout.write("closed\n")
