"""The way of versions of bots into tournaments: submissions, trials, verdicts, suspensions."""
