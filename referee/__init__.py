"""The referee: plays matches over gRPC."""
