"""Parts that commands share: options, tables, progress bars."""
