"""Every option that was compared."""
