"""One page of the window per module."""
