"""Where each number comes from: its inputs, method, source, date, error band, and how to check it."""
