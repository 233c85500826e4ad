"""What the recorder of a watched program writes down of parameters that no optimizer has, and of sparse tables."""

import pytest

from advisor.watch.injected.recorder import recorder

pytestmark = pytest.mark.torch


def test_an_average_of_the_parameters_is_no_frozen_part() -> None:
    """It is kept up after each step and computes nothing; what is read in the forward pass is frozen."""
    import torch

    learned, average, frozen = (torch.nn.Parameter(torch.ones(4, 4)) for _ in range(3))
    with torch.no_grad(), recorder(torch, {learned.data_ptr()}) as seen:
        (learned @ torch.ones(4, 4)) @ frozen
        average.mul_(0.9).add_(learned, alpha=0.1)
    assert seen.frozen == {frozen.data_ptr()}


def test_a_product_with_a_sparse_table_reads_its_entries() -> None:
    """Not all the zeros between them."""
    import torch

    table = torch.eye(50).to_sparse()
    with recorder(torch, set()) as seen:
        torch.sparse.mm(table, torch.ones(50, 3))
    assert [(call[0], call[2][0]["shape"]) for call in seen.calls if "product" in call[0]] == [
        ("_sparse_product", [50, 3])
    ]
