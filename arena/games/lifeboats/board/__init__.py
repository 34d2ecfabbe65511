"""How Lifeboats is drawn, and put into words."""
