"""The process between us and a program that may be anybody's."""
