"""The words of the verdict: its sentences, reasons, rules, trade, costs and prices."""
