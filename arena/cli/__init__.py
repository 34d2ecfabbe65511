"""The command line: thin commands over services and the play client."""
