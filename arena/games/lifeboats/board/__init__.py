"""Drawing of Lifeboats, and its words."""
