"""The ground of all routes: services, limits, headers, problems, server-sent events, the OpenAPI document."""
