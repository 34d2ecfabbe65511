"""How the web is served: address, application, uvicorn, and a server that answers while the application is imported."""
