"""Time of one step: the work of each operation against the rates of a device."""
