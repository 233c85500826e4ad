"""The page of all options without Qt: its table, its chart, what is shown of them, and each in detail."""
