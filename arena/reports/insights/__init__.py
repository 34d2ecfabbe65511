"""Insights: what workers derive once from open matches, and what bots noted in them.  A new one is a module, listed in `insight_registry`."""
