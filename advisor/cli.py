"""Headless face."""
