"""Say it: a report as text, Markdown, HTML, PDF or JSON, in a file or not. Knows no screen and measures nothing."""
