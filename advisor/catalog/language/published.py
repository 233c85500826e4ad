"""Rates of language models that others measured and published, read from ``resources/references/serving.csv``."""

import csv
from functools import cache

import msgspec

from advisor.errors import CatalogError
from advisor.records.job.serving import PublishedRate, ServingJob
from advisor.resource import resource_path


@cache
def published_rates() -> tuple[PublishedRate, ...]:
    """Return every published rate, in the order of the file.

    Raises:
        CatalogError: The file is missing or damaged.
    """
    path = resource_path("references", "serving.csv")
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = [{name: value or None for name, value in row.items()} for row in csv.DictReader(file)]
        return tuple(msgspec.convert(rows, list[PublishedRate], strict=False))
    except (OSError, ValueError, csv.Error) as error:
        raise CatalogError(f"The table of published rates {path.name} is damaged: {error}") from error


def job_of(rate: PublishedRate) -> ServingJob:
    """Return how the model was asked: a test of writing begins with an empty cache."""
    reads = rate.kind == "prefill"
    return ServingJob(
        weights=rate.weights,
        prompt_tokens=rate.tokens if reads else 1,
        new_tokens=1 if reads else rate.tokens,
        year=int(rate.date[:4]),
    )
