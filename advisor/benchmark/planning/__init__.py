"""Which cases a suite has, with how much time for each, and the arithmetic of what they measure. Pure."""
