"""The parts of an answer that are about its options: rows, place, trade, costs, purchase, what-if."""
