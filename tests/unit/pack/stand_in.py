"""Samples shared by the tests of download, install, uv."""

import sys

FAKE_UV = f"""#!{sys.executable}
import os, pathlib, shutil, sys, time
arguments = sys.argv[1:]
if arguments[0] == "venv":
    environment = pathlib.Path(arguments[-1])
    if "--clear" in arguments:
        shutil.rmtree(environment, ignore_errors=True)
    python = environment / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(os.environ.get("FAKE_PYTHON", ""))
    python.chmod(0o755)
elif arguments[:2] == ["pip", "compile"]:
    target = arguments[arguments.index("--output-file") + 1]
    wheel = '{{ url = "https://host.invalid/torch-2.9-py3-none-any.whl", size = 1000 }}'
    pathlib.Path(target).write_text('[[packages]]\\nname = "torch"\\nversion = "2.9"\\nwheels = [' + wheel + ']\\n')
elif os.environ.get("FAKE_FAULT"):
    sys.exit("error: " + os.environ["FAKE_FAULT"])
elif os.environ.get("FAKE_SLEEP"):
    print("Downloading torch", file=sys.stderr, flush=True)
    time.sleep(60)
"""
