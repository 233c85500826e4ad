"""Read the fitted constants shipped with the program; every file names its sources, rows and error."""

import msgspec

from advisor.catalog.networks.tables import network_names, timm_names
from advisor.predict.coefficients import predicting_with, time_coefficients


def test_other_constants_for_a_moment() -> None:
    """Inside the block they count, after it those shipped do."""
    shipped = time_coefficients()
    with predicting_with(msgspec.structs.replace(shipped, copy_bytes_per_s=1.0)):
        assert time_coefficients().copy_bytes_per_s == 1.0
    assert time_coefficients() is shipped


def test_every_year_has_its_generation() -> None:
    """Years up to the last of one belong to it, later ones to the next; the last is open."""
    found = time_coefficients()
    ends = [one.until for one in found.generations]
    assert ends[-1] is None
    assert ends[:-1] == sorted(ends[:-1], key=str)
    for one, following in zip(found.generations, found.generations[1:], strict=False):
        assert one.until is not None
        assert found.generation(one.until) is one
        assert found.generation(one.until + 1) is following
    assert found.generation(2100) is found.generations[-1]


def test_factors_belong_to_networks_of_the_catalogue_and_are_small() -> None:
    """A factor corrects the model; one far from 1 would mean that the network was traced wrongly."""
    names = {*network_names(validation=True), *timm_names()}
    for key, factors in time_coefficients().networks.items():
        assert key.removesuffix("+decomposed") in names
        assert any(factors), key
        assert all(0.65 < factor < 1.5 for factor in factors if factor is not None), key
