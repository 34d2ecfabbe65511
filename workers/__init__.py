"""Queue workers: jobs, the worker class, the reconciler, the links to referees."""
