"""This computer: every fact, and how to correct it."""
