"""The step of the job that was asked: of its own network, or of the operations in its table."""
