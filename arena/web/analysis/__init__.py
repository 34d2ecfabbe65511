"""The report of `arena bot analyse` as a page by itself: no server, no network, no script."""
