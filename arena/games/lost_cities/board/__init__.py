"""How Lost Cities is drawn, and put into words."""
