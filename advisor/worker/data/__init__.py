"""How fast samples are made ready: of the user's own files, and photographs made for the measurement."""
