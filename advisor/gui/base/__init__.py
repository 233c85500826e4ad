"""What every part of the window rests on: theme, settings, background tasks, the desktop. Knows no page."""
