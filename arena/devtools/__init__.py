"""Tools for authors at home: project folders, a bot asked by itself, its check, the SDK as a wheel."""
