"""Samples to numbers: statistics, steadiness, and comparisons with the articles or another run. Pure."""
