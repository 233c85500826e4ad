"""Reports as files: text, Markdown, HTML, PDF, JSON."""
