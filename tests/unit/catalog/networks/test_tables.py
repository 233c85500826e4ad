"""Networks are found by name and hold at every size they can take."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.catalog.networks.tables import Profile, find_entry, network, network_names
from advisor.errors import InputError, UnknownNameError
from advisor.predict.memory import footprint
from advisor.records.job.work import Network
from advisor.records.job.workload import Workload
from tests.unit.catalog.networks.sizes import flop

EDGES = st.integers(min_value=64, max_value=1024)
LENGTHS = st.integers(min_value=8, max_value=512)


def moved_bytes(found: Network) -> float:
    """Return the bytes of a step for one sample."""
    return math.fsum(operation.count * operation.bytes_per_sample for operation in found.operations)


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        ("resnet50", "resnet50"),
        ("ResNet-50", "resnet50"),
        ("gpt-2 large", "gpt2_large"),
        ("opt_1.3b", "opt_1.3b"),
        ("GPT3_2.7B", "gpt3_2.7b"),
        ("vit_base_patch16_224", "vit_base"),
        ("xgboost", "gradient_boosting"),
        ("CatBoost", "gradient_boosting"),
        ("bge-base-en-v1.5", "bert_base"),
    ],
)
def test_common_spellings_are_understood(spelling: str, name: str) -> None:
    """Case, hyphens, dots and other names for the same network do not matter."""
    assert find_entry(spelling).name == name
    assert network(spelling).name == name


def test_an_unknown_name_is_refused_with_the_nearest() -> None:
    """What it begins comes first."""
    with pytest.raises(UnknownNameError, match="Did you mean resnet") as refusal:
        network("resnet")
    assert all(name.startswith("resnet") for name in refusal.value.nearest)


def test_validation_networks_are_not_offered() -> None:
    """They can be had by name and are in the longer list."""
    assert "alexnet" not in network_names()
    assert "alexnet" in network_names(validation=True)
    assert network("alexnet").validation_only


def test_the_usual_size_is_the_default() -> None:
    """Asking for it explicitly changes nothing."""
    assert network("resnet50") == network("resnet50", image_size=224)
    assert network("bert_base").sequence_length == 128
    assert network("bert_base").image_size is None


@given(small=EDGES, large=EDGES)
def test_a_larger_image_is_never_less_work(small: int, large: int) -> None:
    """Neither in FLOP nor in bytes nor in memory."""
    less, more = (network("resnet50", image_size=size) for size in sorted((small, large)))
    assert flop(less) <= flop(more)
    assert moved_bytes(less) <= moved_bytes(more)
    assert less.saved_bytes_per_sample <= more.saved_bytes_per_sample
    assert less.peak_bytes_per_sample <= more.peak_bytes_per_sample


@given(length=LENGTHS)
def test_attention_grows_with_the_square_of_the_length(length: int) -> None:
    """Everything else of a transformer with its length."""
    found = network("bert_base", sequence_length=length)
    (attention,) = [o for o in found.operations if o.kind == "attention" and o.phase == "forward"]
    assert attention.shape == (1, 12, length, length, 64)
    assert attention.flop_per_sample == pytest.approx(4 * 12 * 64 * length**2)
    products = [o for o in found.operations if o.kind == "gemm" and o.phase == "forward" and o.batch_axis == 1]
    assert {o.shape[1] for o in products} <= {length, 1}


def test_heads_of_classifiers_do_not_grow() -> None:
    """The last product of ResNet-50 sees the pooled features whatever the image."""
    shapes = {
        operation.shape
        for operation in network("resnet50", image_size=448).operations
        if operation.kind == "gemm" and operation.phase == "forward"
    }
    assert shapes == {(1, 1, 1000, 2048)}


def test_parameters_depend_on_the_image_only_where_they_do() -> None:
    """The article's network flattens the image into its first dense layer."""
    assert network("article_cnn").parameters == 42_520_584
    edge = ((224 - 2) // 2 - 2) // 2
    expected = 42_520_584 + 512 * 64 * (edge**2 - 36**2)
    assert network("article_cnn", image_size=224).parameters == expected
    assert network("resnet50", image_size=448).parameters == network("resnet50").parameters
    usual, large = network("article_cnn"), network("article_cnn", image_size=224)
    assert large.largest_parameter == 512 * 64 * edge**2
    assert large.moments[-1][1] / usual.moments[-1][1] == pytest.approx(large.parameters / usual.parameters)


@pytest.mark.parametrize(
    ("name", "size", "reason"),
    [
        ("simple_cnn", {"image_size": 32}, "fixed image_size of 28"),
        ("vit_base", {"image_size": 230}, "try 224 or 240"),
        ("resnet50", {"image_size": 16}, "from 32"),
        ("gpt2", {"sequence_length": 2048}, "to 1024, not 2048"),
        ("gradient_boosting", {"columns": 0}, "columns must be 1 or more"),
    ],
)
def test_impossible_sizes_are_refused(name: str, size: dict[str, int], reason: str) -> None:
    """The sentence says what would be possible."""
    with pytest.raises(InputError, match=reason):
        network(name, **size)  # type: ignore[arg-type]


@given(size=st.integers(10, 1000))
def test_points_are_met_and_joined_upwards(size: int) -> None:
    """Interpolation never leaves the neighbours' range inside, and goes on beyond the ends."""
    profile = Profile(points=((50, 1.0), (100, 4.0), (200, 16.0)))
    assert profile.at(size) == pytest.approx((size / 50) ** 2)


def test_points_may_be_zero() -> None:
    """A quantity that begins at some size is joined by a straight line."""
    profile = Profile(points=((50, 0.0), (100, 0.0), (200, 2.0)))
    assert profile.at(60) == 0
    assert 0 < profile.at(150) < 2


@pytest.mark.parametrize(
    ("name", "gigabytes"),
    [
        ("diffusion_unet", 14.233),
        ("sdxl_unet", 44.635),
        ("sd3.5_medium", 47.636),
        ("flux_dev", 214.526),
        ("sam_vit_b", 2.097),
    ],
)
def test_a_step_on_a_processor_holds_the_tensors_of_the_librarys_model(name: str, gigabytes: float) -> None:
    """One sample, AdamW, 32 bit: storages of a step on torch's fake tensors, diffusers 0.42 and transformers 5.23."""
    job = Workload(id="x", title="", network=name, samples=100, batch_size=1, optimizer="adamw")
    taken = footprint(network(name), job, is_cpu=True)
    assert taken.total(1) - taken.context_bytes == pytest.approx(gigabytes * 1e9, rel=0.02)
