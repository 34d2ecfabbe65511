"""Starting hosted bots: launchers, processes, unpacked bundles."""
