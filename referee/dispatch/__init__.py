"""From an order to a report: waiting for bots and slots, playing the match."""
