"""Drawing of Teotlatolli, and its words."""
