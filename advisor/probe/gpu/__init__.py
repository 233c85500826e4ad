"""Accelerators, vendor by vendor."""
