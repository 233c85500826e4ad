"""What language models are run for, ready-made and in a file."""

from pathlib import Path

import pytest

from advisor.catalog.language.jobs import find_serving_job, is_serving_job, serving_jobs
from advisor.errors import InputError


def test_ready_made_jobs_have_titles_and_a_source() -> None:
    """In both languages, each found by its name."""
    for one in serving_jobs():
        assert set(one.question.titles) == {"en", "es"}
        assert one.question.source
        assert set(one.question.sources) == {"es"}
        assert find_serving_job(one.question.id) is one


def test_a_model_alone_is_a_job() -> None:
    """With the usual numbers; it is not a job by its name alone, which trains it."""
    assert find_serving_job("llama3_8b").question.model == "llama3_8b"
    assert not is_serving_job("llama3_8b")


def test_a_file_asks_with_circumstances(tmp_path: Path) -> None:
    """Fields of job and question stand side by side."""
    path = tmp_path / "mine.toml"
    path.write_text(
        '[serving]\nmodel = "phi4"\nusers = 3\nhours_per_month = 0\n[circumstances]\ndata_must_stay = true\n', "utf-8"
    )
    found = find_serving_job(str(path))
    assert is_serving_job(str(path))
    assert (found.question.model, found.question.job.users, found.question.hours_per_month) == ("phi4", 3, 0)
    assert found.circumstances.data_must_stay


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("[serving]\nusers = 3\n", "there is no model"),
        ('[serving]\nmodel = "phi4"\nuser = 3\n', "did you mean users"),
        ('[serving]\nmodel = "phi4"\ntitles = 3\n', "no key titles"),
        ('[serving]\nmodel = "phi4"\nhours_per_month = 900\n', "between 0 and 744"),
        ('[serving]\nmodel = "phi4"\nusers = "many"\n', "must be a whole number"),
        ('[serving]\nmodel = "nonesuch"\n', "no language model"),
        ('[serving]\nmodel = "phi4"\nweights = "q9"\n', "no format of weights"),
        ("[workload]\n", "no table workload"),
        ("[circumstances]\n", "has no table"),
    ],
)
def test_a_mistake_in_a_file_is_one_sentence(content: str, said: str, tmp_path: Path) -> None:
    """Naming the key."""
    path = tmp_path / "mine.toml"
    path.write_text(content, "utf-8")
    with pytest.raises(InputError, match=said):
        find_serving_job(str(path))
