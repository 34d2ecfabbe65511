"""`arena login`, `arena password`, `arena token` and `arena user`."""
