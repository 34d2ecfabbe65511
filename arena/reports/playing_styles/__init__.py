"""Playing styles: how a bot's version plays, measured from its newest open matches."""
