"""How The Bottle Imp is drawn, and put into words."""
