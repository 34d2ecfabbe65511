"""The sandbox of hosted bots: its launcher, system call filter, control groups, watchdog and self-test."""
