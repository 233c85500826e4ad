"""A job in half a line."""

import msgspec

from advisor.catalog import preset, presets
from advisor.gui.models.job.job_summary import details, summary
from advisor.locale import language

EN = language("en")


def test_every_job_can_be_summed_up() -> None:
    """Each ready-made job has a plain noun for what it works on."""
    texts = {preset.workload.id: summary(preset.workload, EN) for preset in presets()}

    assert texts["classical_ml"] == "50,000 rows"
    assert texts["article_cnn"] == "18,687 photos · 8 categories · 5 epochs"
    assert texts["bert_finetuning"] == "100,000 texts · 128 tokens each · 3 epochs"
    assert all(texts.values())


def test_a_part_of_an_epoch_is_said_as_it_was_written() -> None:
    """A thousandth was "0 epoch"."""
    job = preset("article_cnn").workload
    said = {n: details(msgspec.structs.replace(job, epochs=n), EN).split(" · ")[-1] for n in (0.001, 0.5, 1.0, 2.5)}
    assert list(said.values()) == ["0.001 epochs", "0.5 epochs", "1 epoch", "2.5 epochs"]
