"""A training step of a group: the same network in each worker, gradients averaged (DistributedDataParallel)."""

import torch
from torch.nn.parallel import DistributedDataParallel

from advisor.records.group import GroupTiming, RunGroup
from advisor.worker.group.collectives import Timed
from advisor.worker.group.exchange import Exchange
from advisor.worker.networks import network_named


def run_train_together(command: RunGroup, exchange: Exchange) -> Timed:
    """Return steps without exchange and with it; both on all workers at once, so that the exchange alone differs."""
    network = network_named(command.network)
    torch.manual_seed(0)
    module = network.build().to(exchange.device)
    ids = [exchange.device.index or 0] if exchange.device.type in {"cuda", "xpu"} else None
    model = DistributedDataParallel(module, device_ids=ids)
    inputs, targets = network.make_batch(command.batch_size, command.image_size, exchange.device)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-4)
    size_bytes = sum(one.numel() * one.element_size() for one in model.parameters() if one.requires_grad)

    def step() -> None:
        optimizer.zero_grad()
        network.loss(model(inputs), targets).backward()  # type: ignore[no-untyped-call]
        optimizer.step()

    def step_alone() -> None:
        with model.no_sync():
            step()

    step()  # gradients lie in the buckets that are sent only after the first
    alone, together = exchange.alternating([step_alone, step], command.budget_s)
    return (
        GroupTiming(operation="alone", size_bytes=size_bytes, samples_s=alone),
        GroupTiming(operation="together", size_bytes=size_bytes, samples_s=together),
    ), ()
