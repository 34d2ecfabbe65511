"""`arena db`, `arena backup`, `arena restore` and `arena ratings`: what works on a store."""
