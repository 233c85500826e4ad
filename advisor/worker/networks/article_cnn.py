"""The image classifier of the article that compares GPU and CPU: 42,520,584 parameters.

Source: "CPU vs GPU en Deep Learning: ¿Cuánta diferencia hay en tiempo de entrenamiento?", its table of layers.
"""

from torch import nn

from advisor.worker.networks.network import TrainingNetwork, random_images

EDGE = 150
CLASSES = 8


def build(edge: int = EDGE) -> nn.Module:
    """Return the network for images of an edge; its softmax is part of the loss, as torch has it."""
    pooled = ((edge - 2) // 2 - 2) // 2
    return nn.Sequential(
        nn.Conv2d(3, 32, kernel_size=3),  # (batch, 32, 148, 148)
        nn.ReLU(),
        nn.MaxPool2d(2),  # (batch, 32, 74, 74)
        nn.Conv2d(32, 64, kernel_size=3),  # (batch, 64, 72, 72)
        nn.ReLU(),
        nn.MaxPool2d(2),  # (batch, 64, 36, 36)
        nn.Flatten(),
        nn.Linear(64 * pooled * pooled, 512),
        nn.ReLU(),
        nn.Dropout(0.2),
        nn.Linear(512, 64),
        nn.ReLU(),
        nn.Dropout(0.2),
        nn.Linear(64, CLASSES),
    )


NETWORK = TrainingNetwork(name="article_cnn", build=build, make_batch=random_images(3, EDGE, CLASSES))
