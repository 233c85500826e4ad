"""One check beside another: what an earlier one said, what a stopped one left out."""
