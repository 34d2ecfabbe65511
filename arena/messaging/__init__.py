"""The queue: the connection to Redis, jobs by name, and streams of events.  The truth is not here but in the store."""
