"""Trace a network on tensors without data, and write down the work of one training step."""
