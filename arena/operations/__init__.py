"""What operators do with an arena: backup and restore, failed jobs, the state of its workers."""
