"""What was measured and concluded, up to the whole report."""
