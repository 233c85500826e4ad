"""The computer around the accelerators, system by system."""
