"""Arena TV: matches at a speed that people can follow, on a channel of all games and one for each."""
