"""Uploads: what an author may send, checked without running any of it, and made into bundles.  Pure."""
