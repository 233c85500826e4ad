"""Choose an interface: the measuring process, the one that prints, the command line, or the window.

Each is imported only when chosen, within a net: an installation that cannot be loaded, and Ctrl-C at any moment, end in
a sentence. Nothing is imported at the head but what Python has loaded anyway.
"""

import gc
import os
import sys
from types import FrameType

FAILED, INTERRUPTED = 1, 130
_MANY_OBJECTS = 50_000  # what modules define stays: looking through it for garbage is a tenth of a short command's time


def main() -> int:
    """Run the interface the arguments ask for and return the exit status."""
    try:
        _look_beside_the_package()
        _open_missing_streams()
        _give_a_home()
        return _run(sys.argv[1:])
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:
        try:
            from advisor.installation import is_loading
        except ImportError as gone:  # this very program was removed, or is just being replaced
            sys.stderr.write(f"A part of this program is gone: {gone}. Install it again, as its README says.\n")
            return FAILED
        if not is_loading(error):
            raise
        return _cannot_load(error)
    finally:
        _let_interrupts_end_it()


def _run(arguments: list[str]) -> int:
    if getattr(sys, "frozen", False):  # processes that prepare images start this very program again
        import multiprocessing

        multiprocessing.freeze_support()
    status = _run_own_process(arguments)
    if status is not None:
        return status
    if arguments == ["--version"]:
        from advisor import __version__

        return _print_line(f"advisor {__version__}")
    code = _language_alone(arguments)
    if arguments and code is None:
        _end_in_order()
        gc.set_threshold(_MANY_OBJECTS)
        from advisor.cli import main as run_command_line

        return run_command_line(arguments)
    _end_at_interrupts()
    from advisor.gui import main as run_window

    return run_window([], code)


def _run_own_process(arguments: list[str]) -> int | None:
    """Run one of the processes that the program starts for itself; None where it is a user who asks."""
    if arguments == ["--worker"]:
        from advisor.worker import run_worker

        return run_worker()
    if arguments[:1] == ["--try-nvml"] and len(arguments) == 2:
        from advisor.nvml_trial import try_nvml

        return try_nvml(arguments[1])
    if arguments == ["--try-screen"]:
        from advisor.gui.app.display_check import try_screen

        return try_screen()
    if arguments[:1] == ["--print-pdf"] and len(arguments) not in {2, 3}:  # nothing, or a language in three parts
        from advisor.gui.pdf_layout import serve

        return serve(arguments[1:])
    return None


def _language_alone(arguments: list[str]) -> str | None:
    """Return the language where nothing else is asked: the window then speaks it."""
    name, _, code = "=".join(arguments).partition("=")
    if name != "--lang" or len(arguments) > 2:
        return None
    from advisor.locale import LANGUAGES

    return code if code in LANGUAGES else None


def _print_line(line: str) -> int:
    try:
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
    except OSError as error:
        from advisor.errors import system_reason
        from advisor.locale import system_language

        sys.stderr.write(system_language().gettext(system_reason(error)) + "\n")
        sys.stderr.flush()
        os._exit(FAILED)  # Python's own end would try to write it once more
    return 0


def _look_beside_the_package() -> None:
    """Look for modules beside this package, not in it, where it was started as a file or a folder.

    Python looks there first: ``python advisor/__main__.py`` would take the module ``locale`` here for its own.
    """
    package = os.path.normpath(os.path.dirname(__file__))  # noqa: PTH120 - pathlib would be the first module of many
    if sys.path and os.path.normpath(sys.path[0]) == package:
        sys.path[0] = os.path.dirname(package)  # noqa: PTH120


def _open_missing_streams() -> None:
    """Give each standard stream that is closed, as some launchers leave them, a place that takes everything.

    Otherwise the next file that is opened would get its number, and whatever is printed would be written into it.
    """
    try:
        while (handle := os.open(os.devnull, os.O_RDWR)) <= 2:
            os.set_inheritable(handle, True)
    except OSError:  # a container without devices; its streams stay as they are
        return
    os.close(handle)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # also of a program without a console on Windows
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123 - for the whole run


def _give_a_home() -> None:
    """Let a user whom the system knows neither by name nor by a home, as in a container, live in the root folder.

    Docker does the same; without it, whoever asks for the folder of settings fails.
    """
    if os.path.expanduser("~") == "~":  # noqa: PTH111 - pathlib would be the first module of many
        os.environ["HOME"] = os.sep


def _end_in_order() -> None:
    """Let whoever ends the process, or its terminal, end also what it started, and take temporary files away.

    A signal that the caller ignores, as ``nohup`` does, stays ignored. The second one ends the process at once.
    """
    import signal

    def end(number: int, _frame: FrameType | None) -> None:
        signal.signal(number, signal.SIG_DFL)
        raise SystemExit(128 + number)

    def again(swallowed: "sys.UnraisableHookArgs") -> None:
        """Send a signal once more that came while an object was taken down: Python lets no exception out of there."""
        error = swallowed.exc_value
        if isinstance(error, SystemExit) and isinstance(error.code, int) and error.code > 128:
            signal.signal(error.code - 128, end)
            _send_soon(error.code - 128)
        elif isinstance(error, KeyboardInterrupt):
            _send_soon(signal.SIGINT)
        else:
            sys.__unraisablehook__(swallowed)

    sys.unraisablehook = again

    for name in ("SIGTERM", "SIGHUP", "SIGBREAK"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, end)


def _send_soon(number: int) -> None:
    """Send this process a signal in a moment, from another thread."""
    import _thread
    import threading

    threading.Timer(0.01, _thread.interrupt_main, (number,)).start()


def _end_at_interrupts() -> None:
    """Let Ctrl-C end the program at once until the window has a better way.

    Nothing is begun yet, and an exception within Qt's own start would abort the process.
    """
    import signal

    def end(_signal: int, _frame: FrameType | None) -> None:
        os._exit(INTERRUPTED)

    signal.signal(signal.SIGINT, end)


def _let_interrupts_end_it() -> None:
    """Let Ctrl-C end the process without a traceback while Python takes itself down."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _cannot_load(error: Exception) -> int:
    """Say what is missing in the user's language, or in English where not even that can be loaded."""
    from advisor.installation import installation_error

    found = installation_error(error)
    try:
        from advisor.locale import system_language

        text = found.sentence(system_language().gettext)
    except Exception:  # noqa: BLE001 - what cannot be loaded may be what the language needs
        text = str(found)
    sys.stderr.write(text + "\n")
    return FAILED


if __name__ == "__main__":
    sys.exit(main())
