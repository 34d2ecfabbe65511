"""How Teotlatolli is drawn, and put into words."""
