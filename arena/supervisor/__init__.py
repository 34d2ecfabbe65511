"""`arena up`: all parts on one machine, started, watched and stopped."""
