"""The read side: what pages, the API and the command line show of tournaments, matches and bots."""
