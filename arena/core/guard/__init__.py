"""The process between us and a program of a stranger."""
