"""Drawing of Land Unter, and its words."""
