"""How fast this computer reads, decodes and augments a sample of the user's own files."""
