"""What all requests have in common: bounds, caching, headers, errors, server-sent events, the OpenAPI document."""
