"""Images prepared against images needed: who waits for whom."""

from advisor.locale import language
from advisor.records.results.measured.measurement import Measurement
from advisor.report.content.blocks import Bullets
from advisor.report.content.measured.pipeline import pipeline
from tests.unit.report.content.measured.results import one, recorded, run, words

EN, ES = language("en"), language("es")


def images(rate: float, workers: int, edge: int = 150, **options: object) -> Measurement:
    """Return images prepared a second."""
    return one("input", size=edge, items_per_s=rate, options={"workers": workers, "augmented": True, **options})


def test_who_waits_for_whom() -> None:
    """The card for its images, or never; the processor for itself."""
    cnn = one("train", "cuda:0", network="article_cnn", items_per_s=1900.0)
    text = words(pipeline(run(images(120.0, 0), images(210.0, 2), cnn), EN))
    assert "could take 1,900 images a second, and 210 are prepared: it waits for 89% of the time." in text
    assert "150 px, augmented, 2 processes | 210" in text
    assert "it never waits" in words(pipeline(run(images(2500.0, 8), cnn), EN))
    assert "the network is what takes the time" in words(pipeline(recorded(), EN))
    assert pipeline(run(cnn), EN) == ()
    assert not [b for b in pipeline(run(images(120.0, 0, edge=64), cnn), EN) if isinstance(b, Bullets)]
