"""Documents of their own beside the report of an answer: fleets, scaling, serving, comparisons, receipts."""
