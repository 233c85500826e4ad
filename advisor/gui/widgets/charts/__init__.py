"""Widgets that draw: plots, the chart of the options, marks on it, and pictures."""
