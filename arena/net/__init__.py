"""Where to dial and to listen, in the clear or with TLS: the same for referees and for bots."""
