"""A job in half a line."""

from advisor.catalog import presets
from advisor.gui.models.job.job_summary import summary
from advisor.locale import language

EN = language("en")


def test_every_job_can_be_summed_up() -> None:
    """Each ready-made job has a plain noun for what it works on."""
    texts = {preset.workload.id: summary(preset.workload, EN) for preset in presets()}

    assert texts["classical_ml"] == "50,000 rows"
    assert texts["article_cnn"] == "18,687 photos · 8 categories · 5 epochs"
    assert texts["bert_finetuning"] == "100,000 texts · 128 tokens each · 3 epochs"
    assert all(texts.values())
