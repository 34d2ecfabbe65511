"""Drawing of The Bottle Imp, and its words."""
