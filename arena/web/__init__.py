"""The dashboard: server-rendered pages, live progress, and a JSON API."""
