"""How fast is this computer? Plan the cases (pure), run them in a worker of their own, summarise the samples (pure)."""
