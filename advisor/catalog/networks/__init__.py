"""Networks as tables of work: those shipped with the program, and those a user describes by layers."""
