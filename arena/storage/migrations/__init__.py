"""Migrations of the schema, run by `arena db upgrade` and `arena up`."""
