"""What is to be trained, its work, its prediction, and the advice about it."""
