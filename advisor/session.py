"""Compose the five steps; filled in as the steps arrive."""
