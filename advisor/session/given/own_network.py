"""A network in the user's own program: run it in the worker, and make a question of what it builds."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from advisor.catalog import standard_job
from advisor.confinement import confined
from advisor.errors import TraceError
from advisor.locale import LANGUAGES, N_, language
from advisor.records.base import Record
from advisor.records.job.asked_job import OwnSource
from advisor.records.job.work import Network
from advisor.records.job.workload import Workload
from advisor.resource import as_text, given_path, program_command

if TYPE_CHECKING:
    from advisor.benchmark.running.control import Control

_TITLE = N_("Your own network, {name}")


class OwnProgram(Record, frozen=True, kw_only=True):
    """A network in the user's own program.

    Attributes:
        reference: File and name in it, such as ``model.py:build``.
        image_size: Edge of its images, of three channels.
        sequence_length: Tokens of its sequences.
        input_shape: Of one sample, where it is neither.
    """

    reference: str
    image_size: int | None = None
    sequence_length: int | None = None
    input_shape: tuple[int, ...] | None = None

    @property
    def file(self) -> str:
        """Name of the file, without its folder."""
        return Path(self.reference.rpartition(":")[0] or self.reference).name


def is_program(text: str) -> bool:
    """Return whether a workload is named by a Python file, which would be run."""
    path, colon, name = text.rpartition(":")
    return (path if colon and name.isidentifier() else text).casefold().endswith(".py")


def trace_own(program: OwnProgram, control: Control | None = None, *, confine: bool = False) -> Network:
    """Run the user's file in a worker and return the work of its network, named by file and function.

    Args:
        program: The file, and what goes into its network.
        control: Its cancellation ends the file.
        confine: Hold its code; ``check_confinement`` has seen that it can be.

    Raises:
        TraceError: It has no network that can be traced; the sentence says how to fix it.
        WorkerError: The worker cannot be started, or has no torch.
    """
    from advisor.benchmark.running.own_network import trace_program  # jobs are named much more often than run

    source = source_of(program)
    return trace_program(
        source.reference,
        file=program.file,
        input_shape=source.input_shape,
        input_kind=source.input_kind,
        control=control,
        command=confined(program_command("--worker"), readable=[given_path(program.reference).parent])
        if confine
        else None,
    )


def source_of(program: OwnProgram) -> OwnSource:
    """Return where the user's program is, for the measuring process.

    Raises:
        TraceError: There is no such file, or none whose path could be told to that process.
    """
    path, colon, name = program.reference.rpartition(":")
    # Said at once, without loading torch for it; Path.is_file() fails on a name that no file can have.
    if colon and not os.path.isfile(given_path(path)):  # noqa: PTH113
        raise TraceError("no_file", file=program.file)
    place = f"{given_path(path).absolute()}:{name}" if colon else program.reference
    if as_text(place) != place:
        raise TraceError("no_text", file=program.file)
    shape = program.input_shape
    if shape is None and program.image_size is not None:
        shape = (3, program.image_size, program.image_size)
    if shape is None and program.sequence_length is not None:
        return OwnSource(reference=place, input_shape=(program.sequence_length,), input_kind="tokens")
    return OwnSource(reference=place, input_shape=shape)


def job_of(network: Network) -> Workload:
    """Return the job assumed for a user's own network."""
    if not network.is_language_model:
        return standard_job(network.name, network.family, network.sample)
    job = standard_job(network.name, network.family, "language")
    return msgspec.structs.replace(job, sequence_length=network.sequence_length)


def own_titles(workload: Workload) -> dict[str, str]:
    """Return what the job of a user's own program is called, by language code."""
    return {code: language(code).gettext(_TITLE).format(name=workload.network) for code in LANGUAGES}
