"""What every part is monitored by: metrics for Prometheus and health checks, on an HTTP port of their own."""
