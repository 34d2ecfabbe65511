"""What pages tell of a tournament beyond its table: who won it, how a test went."""
