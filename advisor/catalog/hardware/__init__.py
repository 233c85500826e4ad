"""Devices, whole computers, slices of cards and links that can be asked about, and the names they go by."""
