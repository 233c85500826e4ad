"""Earlier checks."""
