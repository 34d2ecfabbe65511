"""Metrics of the web: times of its pages, and figures of the whole arena."""
