"""Every network that a job may name: those with a table of work, and language models by their numbers.

The work of the latter is counted when it is asked for; neither the index nor a list of networks has a row for them, and
their file is read only where no table has the name.
"""

from collections.abc import Iterable
from functools import lru_cache

from advisor.catalog.networks.attention import decompose
from advisor.catalog.networks.tables import IndexEntry, known_entry, network, network_names, timm_names
from advisor.catalog.spelling import nearest_names, spellings
from advisor.errors import UnknownNameError
from advisor.records.job.serving import LanguageModel
from advisor.records.job.work import Network
from advisor.records.job.workload import Workload

_KIN = {
    "xtts": "vits",
    "styletts": "vits",
    "fastspeech": "vits",
    "piper": "vits",
    "pi0": "smolvla",
    "openvla": "smolvla",
    "gr00t": "smolvla",
    "dqn": "ppo_small",
}
"""Beginnings of the plain names of what people ask for and no table has, with what comes nearest in kind."""


def unknown_network(name: str, known: Iterable[str] = ()) -> UnknownNameError:
    """Return what is to be said of a name that nothing has: what comes nearest in kind, else in spelling.

    Args:
        name: As it was written.
        known: Further names that it may mean.
    """
    kin = next((near for begin, near in _KIN.items() if any(one.startswith(begin) for one in spellings(name))), None)
    if kin is not None:
        return UnknownNameError("kin", name, (kin,))
    return UnknownNameError("workload", name, nearest_names(name, dict.fromkeys([*known, *all_names()])))


def all_names() -> tuple[str, ...]:
    """Return the name of every network: of tables, of language models, of further models of timm."""
    from advisor.catalog.language.models import language_models

    return (*network_names(), *(model.name for model in language_models()), *timm_names())


def find_network(name: str) -> IndexEntry:
    """Return what is known of a network, by its name or another common spelling of it.

    Raises:
        UnknownNameError: Nothing has this name; names the nearest.
    """
    found = known_network(name)
    if found is None:
        raise unknown_network(name)
    return found


def known_network(name: str) -> IndexEntry | None:
    """Return what is known of a network; None where nothing has its name."""
    entry = known_entry(name)
    model = _model_without_table(name) if entry is None else None
    return entry if model is None else known_entry(model.name) or _entry_of(model)


def named_network(workload: Workload, *, is_fused: bool) -> Network:
    """Return the work of the network that a job names, at the job's size.

    Args:
        workload: The job.
        is_fused: Its attention is one kernel.

    Raises:
        UnknownNameError: Nothing has this name.
        InputError: The network cannot take this size.
    """
    entry = find_network(workload.network)
    model = _model_without_table(entry.name) if entry.title else None
    if model is None:
        return network(
            entry.name,
            image_size=workload.image_size,
            sequence_length=workload.sequence_length,
            columns=workload.columns,
            attention=None if is_fused else "decomposed",
        )
    found = _counted(model, workload.sequence_length)
    return found if is_fused else decompose(found)


def _model_without_table(name: str) -> LanguageModel | None:
    from advisor.catalog.language.models import named_model

    return named_model(name)


def _entry_of(model: LanguageModel) -> IndexEntry:
    from advisor.catalog.language.training import usual_steps

    return IndexEntry(
        name=model.name,
        family="transformer",
        sample="sequence",
        parameters=model.parameters,
        size=usual_steps(model),
        is_language_model=True,
        title=model.title,
    )


@lru_cache(maxsize=64)
def _counted(model: LanguageModel, steps: int | None) -> Network:
    from advisor.catalog.language.training import language_network, usual_steps

    return language_network(model, steps or usual_steps(model), model.parameters)
