"""How the web is monitored: times of its pages, and what the whole arena shares."""
