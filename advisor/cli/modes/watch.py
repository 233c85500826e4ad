"""``advisor --watch -- COMMAND``: ask, run the user's script unchanged, say what was seen, and answer for its job."""

import argparse
import sys

import msgspec

from advisor import wire
from advisor.catalog import find_workload
from advisor.cli.output import DONE, says_yes, screen, write_out
from advisor.cli.question import DEFAULT_PRESET, job_settings, own_circumstances, what_is_held
from advisor.confinement import check_confinement
from advisor.errors import InputError
from advisor.locale import Language
from advisor.records.results.measured.watched import WatchedJob
from advisor.report.documents.watched import watched_text
from advisor.report.formats.text import text_report
from advisor.report.formats.write import check_target, write_bytes
from advisor.report.words.quantities import duration
from advisor.resource import given_path
from advisor.session.run import probe
from advisor.session.watched import answer, watched_job
from advisor.watch.channel import Channel
from advisor.watch.injected.loop_watcher import TIMED
from advisor.watch.program import Progress, watch

_SIGNALS = 128
"""What a shell adds to the number of the signal that ended a program."""
_SAY_EVERY_S = 30.0


def run_watch_command(arguments: argparse.Namespace, language: Language) -> int:
    """Watch the command and return its own exit status; 0 where it was ended here."""
    target = None if arguments.save is None else given_path(arguments.save)
    if target is not None:
        check_target(target)
    circumstances = own_circumstances(find_workload(DEFAULT_PRESET).circumstances, arguments)
    if arguments.confine:
        check_confinement()
    if not arguments.yes and not _agrees(arguments, language):
        sys.stderr.write(language.gettext("Nothing was run.") + "\n")
        return DONE
    with Channel() as channel:
        announce = _Announcer(language) if sys.stderr.isatty() else None
        watched = watch(
            arguments.command,
            channel,
            keeps_running=arguments.keep_running,
            announce=announce,
            confine=arguments.confine,
        )
        machine = probe(tuple(arguments.gpu))
        job = watched_job(watched, arguments.command, machine)
    job = _with_settings(job, arguments)
    if target is not None:
        write_bytes(target, wire.encode(job) + b"\n")
    if arguments.format == "json":
        write_out(wire.encode(job).decode())
    else:
        report = answer(job, machine, circumstances)
        write_out("\n" + watched_text(job, language))
        if report is not None:
            write_out(text_report(report, language, **screen()))
    if watched.status is None:
        return DONE
    return watched.status if watched.status >= 0 else _SIGNALS - watched.status


class _Announcer:
    """Says now and then, between the script's own lines, how far watching is."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._said_s = 0.0
        self._said_steps = 0

    def __call__(self, progress: Progress) -> None:
        _ = self._language.gettext
        if progress.steps == 0 and progress.elapsed_s - self._said_s >= _SAY_EVERY_S:
            self._said_s = progress.elapsed_s
            time = duration(progress.elapsed_s, self._language)
            self._say(_("no training step was seen yet, after {time}").format(time=time))
        elif progress.steps and not self._said_steps:
            self._said_steps = 1
            self._say(_("the first training steps were seen; they warm up"))
        elif progress.timed >= self._said_steps // 10 * 10 + 10:
            self._said_steps = progress.timed
            self._say(_("{n} of {all} steps are timed").format(n=min(progress.timed, TIMED), all=TIMED))

    def _say(self, sentence: str) -> None:
        sys.stderr.write(f"\n[advisor] {sentence}\n")
        sys.stderr.flush()


def _with_settings(job: WatchedJob, arguments: argparse.Namespace) -> WatchedJob:
    """Return the job with what the user said of it, such as the epochs."""
    if job.workload is None:
        return job
    changes = job_settings(arguments)
    if arguments.epochs is not None:
        changes["epochs_are_default"] = False
    return msgspec.structs.replace(job, workload=msgspec.structs.replace(job.workload, **changes))


def _agrees(arguments: argparse.Namespace, language: Language) -> bool:
    """Ask whether the command may run; nobody is asked where nobody can answer."""
    if not sys.stdin.isatty():
        raise InputError("--watch runs your script; where nobody can be asked, add --yes.")
    _ = language.gettext
    text = _(
        "This runs your command as it is, and watches its training steps from inside. Nothing leaves this computer."
    )
    end = (
        _("It may run to its own end.")
        if arguments.keep_running
        else _("It is ended after some 30 steps, or after 3 minutes; --keep-running lets it run on.")
    )
    held = f" {what_is_held(language)}" if arguments.confine else ""
    return says_yes(f"{text} {end}{held}\n  {' '.join(arguments.command)}\n" + _("Run it? [y/N] "))
