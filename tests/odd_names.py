"""Names of folders that mean something to URLs, shells or sockets, and that people and CI systems use all the same."""

ODD_NAMES = (
    "job_feature%2Fx",
    "100%",
    "why?",
    "c#",
    "My bots",
    'it\'s "mine"',
    "ñandú-日本",
    "a@b:c",
    "x" * 200,
)
