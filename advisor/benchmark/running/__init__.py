"""Run a suite in a process of its own, and end that process whatever it does."""
