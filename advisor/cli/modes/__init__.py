"""What the command does besides answering about one job: lists, fleets, clusters, sweeps, watching, serving."""
