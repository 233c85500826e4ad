"""Networks written by ourselves, in ``advisor.worker.networks``."""

from advisor.worker.networks import article_cnn, simple_cnn
from traced.entry import Traced, images

NETWORKS = (
    Traced(
        name="simple_cnn",
        family="cnn",
        build=lambda _size: simple_cnn.build(),
        inputs=images,
        parameters=422_218,
        source='"Cómo elegir rápidamente una GPU para Deep Learning", class SimpleCNN; counted by its layers',
        size=28,
        sizes=(28,),
        aliases=("SimpleCNN",),
    ),
    Traced(
        name="article_cnn",
        family="cnn",
        build=lambda _size: article_cnn.build(),
        inputs=images,
        parameters=42_520_584,
        source='"CPU vs GPU en Deep Learning: ¿Cuánta diferencia hay en tiempo de entrenamiento?", model.summary()',
        size=150,
        sizes=(150,),
    ),
)
