"""Records of files, to be looked at without an arena: `arena view`."""
