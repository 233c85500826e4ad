"""DenseNet-121 with a new head for cats and dogs, the head alone trained: 2,050 of 6,955,906 parameters.

The study says that "the last layers" were changed, not whether the others were trained on; this is the cheaper reading,
``densenet121_transfer`` the dearer one.
"""

from torch import nn

from advisor.worker.networks import densenet121, densenet121_transfer
from advisor.worker.networks.network import TrainingNetwork, random_images


def build() -> nn.Module:
    """Return the network; no gradient reaches beyond its last layer."""
    model = densenet121_transfer.build().requires_grad_(False)
    model.get_submodule("head").requires_grad_(True)[0].requires_grad_(False)  # type: ignore[index]
    return model


NETWORK = TrainingNetwork(
    name="densenet121_frozen", build=build, make_batch=random_images(3, densenet121.EDGE, densenet121_transfer.CLASSES)
)
