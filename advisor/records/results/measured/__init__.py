"""Records of what was measured or watched here."""
