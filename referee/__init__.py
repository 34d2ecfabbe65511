"""The referee: plays matches over gRPC."""

import arena  # noqa: F401 - says which modules of ours run compiled
