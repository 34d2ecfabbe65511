"""Schedules: who meets whom, in which seats, with which seed.  Pure."""
