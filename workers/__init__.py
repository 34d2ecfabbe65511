"""Queue workers: jobs, the worker class, the reconciler, the registrar."""
