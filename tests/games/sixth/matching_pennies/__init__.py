"""Matching Pennies: two seats show heads or tails at the same time; seat 0 wins if they match."""
