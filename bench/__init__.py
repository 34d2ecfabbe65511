"""Benchmarks: every figure beside its limit, both measured in the same run."""
