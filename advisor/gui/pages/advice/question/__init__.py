"""The question's side of the page: the form, its panels and its rows."""
