"""The sensors as they move."""
