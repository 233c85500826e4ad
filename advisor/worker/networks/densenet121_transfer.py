"""DenseNet-121 with a new head for cats and dogs, every layer trained on: 6,955,906 parameters.

The weights are random instead of pretrained, which changes no time.

Source: "Evaluando el rendimiento de CPU y GPU en el aprendizaje profundo" (8,005 photos for training).
"""

from torch import nn

from advisor.worker.networks import densenet121
from advisor.worker.networks.network import TrainingNetwork, random_images

CLASSES = 2


def build() -> nn.Module:
    """Return the network with 2 classes instead of 1,000."""
    model = densenet121.build()
    head = model.get_submodule("head")
    assert isinstance(head, nn.Sequential), "DenseNet's head is a sequence that ends in the classifier"
    last = head[-1]
    assert isinstance(last, nn.Linear), "the classifier is a dense layer"
    head[-1] = nn.Linear(last.in_features, CLASSES)
    return model


NETWORK = TrainingNetwork(
    name="densenet121_transfer", build=build, make_batch=random_images(3, densenet121.EDGE, CLASSES)
)
