"""Many computers."""
