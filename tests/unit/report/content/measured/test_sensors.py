"""What the sensors said while each network ran, mean and peak, laid out like the tables of the profiling study."""

from advisor.locale import language
from advisor.report.content.measured.sensors import sensors
from tests.unit.report.content.measured.results import one, recorded, run, watched, words

EN, ES = language("en"), language("es")


def test_sensors_are_laid_out_like_the_studys_tables() -> None:
    """One row a case with mean and peak; of several cards the one that computed; silent sensors leave no column."""
    on_card = watched(
        "cuda:0",
        host__cpu_ratio=0.62,
        accelerators__1__temperature_celsius=60.0,
        accelerators__1__power_w=150.0,
        accelerators__0__power_w=20.0,
    )
    text = words(sensors(run(on_card, watched("mps")), EN))
    assert "While | Processor | Card, heat | Card, power" in text
    assert "(all layers trained), batch 64\nGraphics card | 62% (68%) | 60 °C (66 °C) | 150 W (165 W)" in text
    assert text.count("batch 64") == 1
    text = words(sensors(recorded(), EN))
    assert "Training CNN, batch 32 | 92% (99%)" in text
    assert "Temperature of the processor: not found." in text
    assert text.count("not found") == 2
    assert sensors(run(one("train", network="a")), EN) == ()
    assert "Card" not in words(sensors(run(watched("mps", host__cpu_ratio=0.5)), EN))
