"""How versions of bots come to play in tournaments: submissions, trials, verdicts, suspensions."""
