"""Bots, their versions and the bundles they were uploaded as."""
