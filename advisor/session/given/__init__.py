"""What the user gives: data, an own network, files of models, anything dropped on the window."""
