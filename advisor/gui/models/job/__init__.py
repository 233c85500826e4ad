"""What the question's form holds: the job asked about, its layers as text, its changes and a script's command line."""
