"""House bots for Land Unter."""
