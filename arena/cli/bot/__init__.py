"""`arena bot`: writing, checking, submitting and listing bots."""
