"""What several groups of measurements share: which measurements, and the words for formats, rates and memory."""

from advisor.locale import language
from advisor.report.content.measured.common import device_cell, has_several_devices
from advisor.report.content.measured.networks import training
from tests.unit.report.content.measured.results import one, run, words

EN, ES = language("en"), language("es")


def test_jax_is_no_card() -> None:
    """What JAX measured is named as such, also where there is but one other device, and asks for no column."""
    jax = one("xla_train", "xla:0", network="article_cnn")
    assert device_cell(jax.case, run(jax), EN) == "JAX"
    assert not has_several_devices(run(one("train"), jax))
    assert "CNN | JAX" in words(training(run(one("train", network="article_cnn"), jax), EN))
