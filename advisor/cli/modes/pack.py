"""``advisor --measuring-pack``: say what would be downloaded, ask, do it, and say how it went."""

import argparse
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from advisor.cli.output import says_yes, takes_commands, write_out
from advisor.errors import InputError, PackError
from advisor.locale import Language
from advisor.pack.choice import backend_for, expected_devices
from advisor.pack.install import Installer, pack_status
from advisor.pack.store import Store
from advisor.pack.uv import StoppedError
from advisor.records.hardware.measuring_pack import PackPlan, PackProgress, PackStatus
from advisor.report.measuring_pack import data_amount, plan_sentences, progress_phrase, status_sentences
from advisor.session.run import probe

DONE, FAILED = 0, 1


def run_pack_command(arguments: argparse.Namespace, language: Language) -> int:
    """Install the measuring pack, say how it is, or remove it."""
    commands = {"install": _install, "status": _status, "remove": _remove}
    return commands[arguments.measuring_pack](arguments, language)


def _install(arguments: argparse.Namespace, language: Language) -> int:
    store = Store()
    installer = Installer(arguments.torch_build or backend_for(probe(), os.environ), store)
    _print(language.gettext("Looking up what would be downloaded …"))
    with _stoppable(installer):
        try:
            plan = installer.plan()
            _print("\n".join(plan_sentences(plan, language)))
            if not arguments.yes and not _agrees(plan, store, language):
                _print(language.gettext("Nothing was downloaded."))
                return DONE
            installer.install(plan, _Progress(language))
        except StoppedError:
            _end_line()
            _print(language.gettext("Stopped. Start it again to go on from here, or remove what is there with: "
                                  "advisor --measuring-pack remove"))  # fmt: skip
            raise KeyboardInterrupt from None
        except PackError:
            _end_line()
            raise
    _end_line()
    return _status(arguments, language)


def _status(_arguments: argparse.Namespace, language: Language) -> int:
    status = pack_status(Store(), expected_devices(probe()))
    write_out("\n".join(status_sentences(status, language)))
    return DONE if _is_well(status) else FAILED


def _is_well(status: PackStatus) -> bool:
    return status.health in {"absent", "ready"}


def _remove(_arguments: argparse.Namespace, language: Language) -> int:
    store = Store()
    size = store.size_bytes()
    store.remove()
    text = language.gettext("The measuring pack is removed; {size} are free again.")
    write_out(text.format(size=data_amount(size, language)))
    return DONE


def _agrees(plan: PackPlan, store: Store, language: Language) -> bool:
    """Ask, and leave nothing new on the disk without consent; whoever is not at a terminal has to say --yes.

    Raises:
        InputError: Nobody can be asked.
    """
    is_agreed = sys.stdin.isatty() and says_yes(language.gettext("Download and install it? [y/N] "))
    if not is_agreed and not plan.is_resumed:
        store.abandon()
    if not sys.stdin.isatty():
        raise InputError("Nobody can be asked here whether to download; add --yes to agree.")
    return is_agreed


class _Progress:
    """One line that is rewritten on a terminal; elsewhere one line a stage."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._stage = ""
        self._rewrites = takes_commands(sys.stderr)

    def __call__(self, progress: PackProgress) -> None:
        phrase = progress_phrase(progress, self._language)
        if self._rewrites:
            sys.stderr.write(f"\r\x1b[2K{phrase}"[:200])
            sys.stderr.flush()
        elif progress.stage != self._stage:
            _print(phrase)
        self._stage = progress.stage


def _end_line() -> None:
    if takes_commands(sys.stderr):
        sys.stderr.write("\n")


def _print(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


@contextmanager
def _stoppable(installer: Installer) -> Iterator[None]:
    """Turn Ctrl-C into a request to stop, so that what was downloaded stays in order."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, before)
        installer.cancel()

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
