"""The server of the web: address, connections, uvicorn, and a small server that answers while the application is imported."""
