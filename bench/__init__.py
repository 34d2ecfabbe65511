"""Benchmarks: every figure with its limit, both measured in the same run."""
