"""Machines, devices, their sensors, and what they cost."""
