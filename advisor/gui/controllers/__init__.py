"""What works behind the window, away from the painting thread. Knows no page and no widget."""
