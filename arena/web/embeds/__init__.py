"""Boards that other sites show in a frame."""
