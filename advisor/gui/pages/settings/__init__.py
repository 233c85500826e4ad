"""Language, looks, money, and what the program keeps."""
