"""How Matching Pennies is drawn and put into words."""
