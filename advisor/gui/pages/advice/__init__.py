"""The first page: the question, the running check, the answer."""
