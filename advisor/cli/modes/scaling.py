"""``advisor --scaling``: what several devices or computers reach together, measured on them."""

import argparse
import sys

from advisor.benchmark.running.control import Control
from advisor.cli.output import DONE, PARTLY_MEASURED, say, screen, write_out
from advisor.cli.report import interruptible, read_cluster
from advisor.errors import InputError
from advisor.locale import Language
from advisor.records.results.scaling import Scaling
from advisor.report.documents.scaling import problem_sentences, render_scaling
from advisor.report.formats.write import by_ending, check_target, write_bytes
from advisor.resource import given_path
from advisor.scaling import (
    Node,
    ScalingRequest,
    check_template,
    launch_file,
    limits_of_partition,
    measure_scaling,
    nodes_from_file,
    nodes_from_text,
    nodes_of_allocation,
    went_wrong,
)
from advisor.scaling.nodes import SRUN, SSH

_MINUTES = 5.0
_ENDINGS = {".json": "json", ".html": "html", ".md": "md", ".txt": "text"}


def run_scaling_command(arguments: argparse.Namespace, language: Language) -> int:
    """Measure, or read what was measured, and write it; 3 where something failed."""
    if arguments.dry_run is not None:
        return write_out(
            launch_file(arguments.dry_run, nodes=arguments.node_count, minutes=arguments.max_minutes or 5.0)
        )
    target = None if arguments.out is None else given_path(arguments.out)
    form = arguments.format or ("text" if target is None else by_ending(target, _ENDINGS))
    if form == "pdf":
        raise InputError("What --scaling measures is written as text, json, html or md.")
    if target is not None:
        check_target(target)
    scaling = _measured(arguments, language) if arguments.cluster is None else read_cluster(arguments)
    if target is None:
        write_out(render_scaling(scaling, form, language, **screen()).decode())
    else:
        write_bytes(target, render_scaling(scaling, form, language))
        for sentence in problem_sentences(scaling, language):
            say(sentence)
        say(language.gettext("The report is in {path}.").format(path=target))
    return PARTLY_MEASURED if went_wrong(scaling) else DONE


def _measured(arguments: argparse.Namespace, language: Language) -> Scaling:
    request, control = _request(arguments), Control()
    with interruptible(control):
        return measure_scaling(request, _Progress(language), control)


def _request(arguments: argparse.Namespace) -> ScalingRequest:
    nodes, launch = _nodes(arguments)
    if launch is not None:
        check_template(launch)
    return ScalingRequest(
        nodes=nodes,
        launch=launch,
        ranks_per_node=arguments.ranks,
        port=arguments.port or 0,
        limit_s=60 * (arguments.max_minutes or _MINUTES),
        network=arguments.workload or "",
        limits=limits_of_partition(nodes[0]) if arguments.slurm else None,
    )


def _nodes(arguments: argparse.Namespace) -> tuple[tuple[Node, ...], str | None]:
    """Return the computers and how a worker is started there; without any, this one."""
    if arguments.slurm:
        return nodes_of_allocation(), arguments.launch or SRUN
    if arguments.nodes is not None:
        return nodes_from_text(arguments.nodes), arguments.launch or SSH
    if arguments.hostfile is not None:
        return nodes_from_file(given_path(arguments.hostfile)), arguments.launch or SSH
    return (Node(name="localhost", address="127.0.0.1"),), None


class _Progress:
    """Says on stderr which part begins."""

    def __init__(self, language: Language) -> None:
        self._language = language

    def __call__(self, part: str, count: int) -> None:
        _ = self._language.gettext
        texts = {
            "start": _("Starting the measuring processes ({n}) …"),
            "pace": _("Each of {n} devices by itself …"),
            "pairs": _("Every link of {n} computers …"),
            "level": _("{n} devices together …"),
        }
        sys.stderr.write(texts[part].format(n=self._language.number(count)) + "\n")
        sys.stderr.flush()
