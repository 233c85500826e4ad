"""Codes and numbers as words."""
