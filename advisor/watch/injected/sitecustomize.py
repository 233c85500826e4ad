"""Run before a watched program: get ready to watch, then hand on to the sitecustomize that would have run."""

import contextlib
import os
import sys


def _begin() -> None:
    folder = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120 - pathlib would load what the program may not
    sys.path[:] = [place for place in sys.path if os.path.abspath(place or ".") != folder]  # noqa: PTH100
    if os.environ.get("ADVISOR_WATCH") != folder:
        return
    from importlib.util import module_from_spec, spec_from_file_location

    spec = spec_from_file_location("_advisor_loop_watcher", os.path.join(folder, "loop_watcher.py"))  # noqa: PTH118
    if spec is None or spec.loader is None:
        return
    watcher = module_from_spec(spec)
    spec.loader.exec_module(watcher)
    watcher.begin(folder)


def _hand_on() -> None:
    own = sys.modules.pop("sitecustomize", None)
    try:
        import sitecustomize  # type: ignore[import-not-found]  # noqa: F401
    except ImportError as error:
        if own is not None:
            sys.modules["sitecustomize"] = own
        if error.name != "sitecustomize":
            raise


with contextlib.suppress(Exception):  # whatever fails here is no business of the program, which then runs unwatched
    _begin()
if __name__ == "sitecustomize":
    _hand_on()
