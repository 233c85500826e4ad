"""What the command line calls a job: in the fewest words, or not at all where it could not say the same."""

import msgspec
import pytest

from advisor.catalog import find_workload
from advisor.records.job.workload import Workload, on_samples
from advisor.records.results.report import JobCommand
from advisor.session.job_command import job_command

USUAL = find_workload("resnet50_imagenet").workload


def changed(**fields: object) -> Workload:
    """Return the usual job with other settings."""
    return msgspec.structs.replace(USUAL, **fields)


@pytest.mark.parametrize(
    ("fields", "step", "run"),
    [
        ({}, (), ()),
        ({"id": "mine", "title": "Mine"}, (), ()),
        ({"optimizer": "adam"}, ("--optimizer", "adam"), ()),
        ({"image_size": 160, "compiled": True}, ("--image-size", "160", "--compiled"), ()),
        ({"batch_size": 7}, (), ("--batch-size", "7")),
        ({"samples": 500, "epochs": 2.0, "validation_samples": 500}, (), ("--samples", "500", "--epochs", "2")),
        ({"epochs": 2.5}, (), ("--epochs", "2.5")),
        ({"loaders": 3, "input_kind": "memory"}, (), ("--loaders", "3", "--input", "memory")),
    ],
)
def test_only_what_differs_is_said(fields: dict[str, object], step: tuple[str, ...], run: tuple[str, ...]) -> None:
    """What decides about a step apart from what decides about a run."""
    assert job_command(changed(**fields)) == JobCommand(name="resnet50_imagenet", step=step, run=run)


@pytest.mark.parametrize("fields", [{"validation_samples": 3}, {"augmentation": not USUAL.augmentation}])
def test_a_run_that_cannot_be_said_leaves_the_step(fields: dict[str, object]) -> None:
    """There is no option for these, but a step is the same."""
    found = job_command(changed(**fields))
    assert found is not None
    assert (found.step, found.run) == ((), None)


@pytest.mark.parametrize("fields", [{"channels": 4}, {"columns": 4}, {"network": "no_such"}])
def test_a_step_that_cannot_be_said_has_no_command(fields: dict[str, object]) -> None:
    """Nothing decides about it that the command line knows."""
    assert job_command(changed(**fields)) is None


def test_steps_of_an_epoch_give_way_to_samples() -> None:
    """A job that counts its steps is asked by its samples once it no longer does; the other way round is no option."""
    article = find_workload("article_cnn").workload
    assert article.steps_per_epoch is not None
    found = job_command(msgspec.structs.replace(article, steps_per_epoch=None))
    assert found is not None
    assert found.run == ("--samples", str(article.samples))
    fewer = job_command(msgspec.structs.replace(article, steps_per_epoch=article.steps_per_epoch - 1))
    assert fewer is not None
    assert fewer.run is None
    more = job_command(msgspec.structs.replace(article, samples=article.samples + 1))
    assert more is not None
    assert more.run is None


def test_few_samples_limit_those_looked_at() -> None:
    """Said on the command line, too: a hundred photos are not validated on the article's 320."""
    article = find_workload("article_cnn").workload
    few = job_command(msgspec.structs.replace(article, **on_samples(article, 100)))
    assert few is not None
    assert few.run == ("--samples", "100")


def test_a_format_that_the_user_said_is_said() -> None:
    """Even the usual one: left out, the device would choose."""
    usual = find_workload("resnet50").workload
    assert usual.precision_is_default
    found = job_command(msgspec.structs.replace(usual, precision_is_default=False))
    assert found is not None
    assert found.step == ("--precision", usual.precision)
