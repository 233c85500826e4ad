"""What a report says, in order, free of any format."""
