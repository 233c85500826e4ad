"""One module for each kind of network; ``registry`` reads ``NETWORKS`` of those whose libraries are installed."""
