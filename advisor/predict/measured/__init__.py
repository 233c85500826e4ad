"""What measurements on this computer say of the job: its own step, classes of work, and the correction from both."""
