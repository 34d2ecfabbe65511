"""Monitoring of every part: metrics for Prometheus and health checks, on an HTTP port of its own."""
