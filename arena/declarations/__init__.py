"""What bots declare about themselves: the tables that they play.  Pure."""
