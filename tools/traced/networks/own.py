"""Networks written by ourselves, in ``advisor.worker.networks``."""

import torch

from advisor.worker.networks import article_cnn, densenet121, resnet50, simple_cnn, stacked_lstm
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
        build=article_cnn.build,
        inputs=images,
        parameters=42_520_584,
        source='"CPU vs GPU en Deep Learning: ¿Cuánta diferencia hay en tiempo de entrenamiento?", model.summary()',
        size=150,
    ),
    Traced(
        name="resnet50",
        family="cnn",
        build=lambda _size: resnet50.build(),
        inputs=images,
        parameters=25_557_032,
        source="torchvision model card, num_params (read 2026-11-21)",
        layers=16,
    ),
    Traced(
        name="densenet121",
        family="cnn",
        build=lambda _size: densenet121.build(),
        inputs=images,
        parameters=7_978_856,
        source="torchvision model card, num_params (read 2026-11-21)",
        layers=58,
    ),
    Traced(
        name="stacked_lstm",
        family="recurrent",
        build=lambda _size: stacked_lstm.build(),
        inputs=lambda size, batch: torch.empty(batch, size, stacked_lstm.FEATURES),
        parameters=858_634,
        source='"Cómo elegir rápidamente una GPU para Deep Learning", class StackedLSTM; the article gives no sizes',
        sample="sequence",
        size=stacked_lstm.STEPS,
        sizes=(25, 50, 100, 150),
        smallest=1,
        largest=10_000,
        layers=2,
        aliases=("lstm",),
    ),
)
