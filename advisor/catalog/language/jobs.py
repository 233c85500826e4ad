"""What language models are run for: ready-made jobs, and jobs that a user writes in a file.

Owns ``resources/catalog/serving_jobs.toml`` and this form of a user's TOML file::

    [serving]
    model = "llama3.1_8b"       # a name of: advisor --list models
    users = 5
    answers_per_month = 2_000

    [circumstances]
    data_must_stay = true
"""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from advisor.catalog.language.formats import find_format
from advisor.catalog.language.models import find_model
from advisor.catalog.spelling import plain_name
from advisor.catalog.toml_checks import check_keys, convert, faults_of, read_toml, subtable
from advisor.errors import CatalogError, InputError, Phrase, refuse_all
from advisor.records.job.serving import ServingJob
from advisor.records.job.serving_advice import ServingQuestion
from advisor.records.job.workload import Circumstances
from advisor.resource import given_path, resource_path

_TABLES = ("serving", "circumstances")
_SHIPPED_KEYS = ("job", "titles", "source", "sources")
_JOB_KEYS = ServingJob.__struct_fields__
_QUESTION_KEYS = tuple(name for name in ServingQuestion.__struct_fields__ if name not in _SHIPPED_KEYS)


class ServingPreset(NamedTuple):
    """A question with the circumstances it usually comes with."""

    question: ServingQuestion
    circumstances: Circumstances = Circumstances()


@cache
def serving_jobs() -> tuple[ServingPreset, ...]:
    """Return the ready-made jobs, in the order they are shown.

    Raises:
        CatalogError: The file is missing or damaged.
    """
    path = resource_path("catalog", "serving_jobs.toml")
    try:
        content = tomllib.loads(path.read_text("utf-8"))
        return tuple(_shipped(table) for table in content["job"])
    except (OSError, ValueError, KeyError, InputError) as error:
        raise CatalogError("The ready-made jobs cannot be read: {error}.", error=str(error)) from error


def find_serving_job(text: str) -> ServingPreset:
    """Return the job a user names: a file ending in ``.toml``, a ready-made one, or a language model.

    Raises:
        InputError: The file has a mistake, or nothing has this name.
    """
    if text.casefold().endswith(".toml"):
        return _read(given_path(text))
    for known in serving_jobs():
        if plain_name(known.question.id) == plain_name(text):
            return known
    find_model(text)
    return ServingPreset(ServingQuestion(model=text))


def is_serving_job(text: str) -> bool:
    """Return whether a text names a ready-made job of running a model, or a file with one."""
    if text.casefold().endswith(".toml"):
        return "serving" in read_toml(given_path(text))
    return any(plain_name(known.question.id) == plain_name(text) for known in serving_jobs())


def _shipped(table: dict[str, Any]) -> ServingPreset:
    where = f"{table['serving']['id']}: "
    question = _question(dict(table["serving"]), where)
    told = {key: table[key] for key in ("titles", "source", "sources")}
    question = msgspec.structs.replace(question, **told)
    return ServingPreset(question, convert(dict(table.get("circumstances", {})), Circumstances, where))


def _read(path: Path) -> ServingPreset:
    content = read_toml(path)
    check_keys(content, _TABLES, f"{path.name}: ", Phrase("table"))
    if "serving" not in content:
        raise InputError("{file} has no table [serving]; begin it with a line [serving].", file=path.name)
    asked = subtable(content, "circumstances", path.name)
    where = f"{path.name}: [circumstances] "
    faults = faults_of(asked, Circumstances, where)
    try:
        question = _question(subtable(content, "serving", path.name), f"{path.name}: [serving] ")
    except InputError as fault:
        faults.insert(0, fault)
    refuse_all(faults)
    return ServingPreset(question, convert(asked, Circumstances, where))


def _question(table: dict[str, Any], where: str) -> ServingQuestion:
    """Return what a table asks: the fields of the job and of the question side by side.

    Raises:
        InputError: A key is unknown, a value makes no sense, or nothing has such a name.
    """
    check_keys(table, (*_JOB_KEYS, *_QUESTION_KEYS), where, Phrase("key"))
    if "model" not in table:
        raise InputError('{where}there is no model; add a line such as model = "llama3.1_8b".', where=where)
    of_job = {key: table[key] for key in _JOB_KEYS if key in table}
    of_question = {key: table[key] for key in _QUESTION_KEYS if key in table}
    refuse_all([*faults_of(of_job, ServingJob, where), *faults_of(of_question, ServingQuestion, where)])
    job = convert(of_job, ServingJob, where)
    question: ServingQuestion = convert(of_question, ServingQuestion, where)
    find_model(question.model)
    find_format(job.weights)
    return msgspec.structs.replace(question, job=job)
