"""Preview cards: the pictures that other sites show with a link to a match, a bot or a tournament."""
