"""What every part of the platform may use: errors, settings, logging, child processes, translatable texts."""
