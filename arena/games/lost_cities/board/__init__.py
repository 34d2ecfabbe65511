"""Drawing of Lost Cities, and its words."""
