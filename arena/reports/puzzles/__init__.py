"""The puzzles of the days as they are stored, and the answers of readers."""
