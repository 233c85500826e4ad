"""The small classifier of the article on choosing a GPU; its ``64 * 7 * 7`` implies images of 28 x 28 pixels.

Source: "Cómo elegir rápidamente una GPU para Deep Learning", section on convolutional networks.
"""

from torch import nn

from advisor.worker.networks.network import TrainingNetwork, random_images

EDGE = 28
CLASSES = 10


def build() -> nn.Module:
    """Return the network."""
    return nn.Sequential(
        nn.Conv2d(3, 32, kernel_size=3, padding=1),  # (batch, 32, 28, 28)
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(32, 64, kernel_size=3, padding=1),  # (batch, 64, 14, 14)
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(64 * 7 * 7, 128),
        nn.ReLU(),
        nn.Linear(128, CLASSES),
    )


NETWORK = TrainingNetwork(name="simple_cnn", build=build, make_batch=random_images(3, EDGE, CLASSES))
