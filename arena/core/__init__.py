"""The ground that all parts of the platform use: errors, settings, logging, child processes, translatable texts."""
