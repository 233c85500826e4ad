"""Models of timm that are no networks of the catalogue's own: found by name, at one size, without slowing others."""

import pytest

from advisor.catalog import find_workload, network, network_names
from advisor.catalog.networks.tables import find_entry, timm_names
from advisor.errors import InputError, UnknownNameError


@pytest.mark.parametrize("spelling", ["convnextv2_base", "timm/convnextv2_base.fcmae_ft_in22k_in1k", "ConvNeXtV2-Base"])
def test_a_model_of_timm_is_found_as_people_write_it(spelling: str) -> None:
    """With its place on the Hub and the tag of its weights, or without; its parameters are those timm publishes."""
    entry = find_entry(spelling)
    assert (entry.name, entry.parameters, entry.size) == ("convnextv2_base", 88_717_800, 224)
    assert find_workload(spelling).workload.network == "convnextv2_base"


@pytest.mark.parametrize("spelling", ["dinov2_vits14", "facebook/dinov2-small"])
def test_a_backbone_is_found_by_the_name_of_its_makers(spelling: str) -> None:
    """torch.hub and the Hub call DINO's transformers otherwise than timm does."""
    assert find_workload(spelling).workload.network == "vit_small_patch14_dinov2"
    assert find_workload("facebook/dinov3-vits16-pretrain-lvd1689m").workload.network == "vit_small_patch16_dinov3"


@pytest.mark.parametrize(
    ("name", "edge", "millions"),
    [
        ("beitv2_base_patch16_224", 224, 86.53),
        ("dla60", 224, 22.04),
        ("ese_vovnet19b_slim_dw", 224, 1.9),
        ("maxvit_small_tf_512", 512, 69.13),
        ("swinv2_cr_tiny_224", 224, 28.33),
        ("tf_efficientnet_b7", 600, 66.35),
        ("vit_gigantic_patch14_clip_quickgelu_224", 224, 1844.91),
        ("vit_huge_plus_patch16_dinov3", 256, 840.51),
    ],
)
def test_parameters_are_those_that_timm_publishes(name: str, edge: int, millions: float) -> None:
    """Of timm's files of results (``param_count``, in millions), at the edge that its weights were trained with."""
    entry = find_entry(name)
    assert (entry.size, round(entry.parameters / 1e6, 2)) == (edge, millions)


def test_every_packed_table_is_whole_and_no_second_one() -> None:
    """A network of the catalogue's own comes first, so it is not packed; each table has both passes at one size."""
    names = timm_names()
    assert len(names) > 900
    assert not set(names) & set(network_names(validation=True))
    for name in names[::20]:
        found = network(name)
        assert {operation.phase for operation in found.operations} == {"forward", "backward"}
        assert found.parameters > 0
        assert found.image_size is not None


def test_another_size_than_the_traced_one_is_refused() -> None:
    """Nothing is known of it, and nothing is guessed."""
    with pytest.raises(InputError, match="fixed image_size of 224"):
        network("convnextv2_base", image_size=288)


def test_a_slip_in_a_name_of_timm_is_answered_with_the_nearest() -> None:
    """Names of timm are offered beside the catalogue's own."""
    with pytest.raises(UnknownNameError) as caught:
        find_entry("convnextv2_bas")
    assert "convnextv2_base" in caught.value.nearest
