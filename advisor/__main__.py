"""Choose a face: the measuring process, the command line, or the window; each is imported only when chosen."""

import sys


def main() -> int:
    """Run the face the arguments ask for and return the exit status."""
    arguments = sys.argv[1:]
    if arguments == ["--worker"]:
        from advisor.worker import run_worker

        return run_worker()
    if arguments:
        from advisor.cli import main as run_command_line

        return run_command_line(arguments)
    from advisor.gui import main as run_window

    return run_window(arguments)


if __name__ == "__main__":
    sys.exit(main())
