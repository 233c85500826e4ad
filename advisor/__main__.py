"""Choose an interface: the measuring process, the one that prints, the command line, or the window.

Each is imported only when chosen.
"""

import sys


def main() -> int:
    """Run the interface the arguments ask for and return the exit status."""
    if getattr(sys, "frozen", False):  # processes that prepare images start this very program again
        import multiprocessing

        multiprocessing.freeze_support()
    arguments = sys.argv[1:]
    if arguments == ["--worker"]:
        from advisor.worker import run_worker

        return run_worker()
    if arguments[:1] == ["--print-pdf"]:
        from advisor.gui.pdf_layout import serve

        return serve(arguments[1:])
    if arguments == ["--version"]:
        from advisor import __version__

        sys.stdout.write(f"advisor {__version__}\n")
        return 0
    if arguments:
        from advisor.cli import main as run_command_line

        return run_command_line(arguments)
    from advisor.gui import main as run_window

    return run_window(arguments)


if __name__ == "__main__":
    sys.exit(main())
