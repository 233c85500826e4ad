"""What disturbs a computer while it is measured: heat, battery, other programs, a pace that changes."""
