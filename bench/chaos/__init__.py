"""`make chaos`: a whole deployment plays tournaments while its parts are killed, stopped, cut off and starved of disk.

    pace, progress ──▶ what was seen        verdict ──▶ does it hold?
         ▲                                     ▲
    injector ──faults──▶ deployment ──▶ machines ──▶ network
         (order and times from a seed)   (namespaces of their own)

Nothing is simulated: real PostgreSQL, Redis, referees with TLS, workers and web processes, each on a machine of its own,
made of Linux namespaces.  What is asserted is said in `verdict`.
"""
