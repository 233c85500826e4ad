"""What the widgets show, worked out without Qt: selection, formatting, series of numbers."""
