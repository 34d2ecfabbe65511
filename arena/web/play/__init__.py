"""People at tables: a match of one person against house bots, played at a referee like any other and not stored.

    browser ── forms, events ──▶ Table ── Seat ──▶ referee ◀── house bots
                                    └─── Order ─────▶ │

A table lives in the memory of the web process that opened it, and ends with it.
"""
