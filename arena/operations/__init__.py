"""Operations: backup and restore, failed jobs, the state of the workers."""
