"""The ways to get a job done, predicted and priced: the step between prediction and recommendation."""
