"""The pieces pages are made of."""
