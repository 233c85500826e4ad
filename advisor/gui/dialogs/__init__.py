"""Windows that open above the main one."""
