"""Preview cards: the pictures that other sites show beside a link to a match, a bot or a tournament."""
