"""HTTP and WebSocket: addresses, limits, middleware, the live connection, and the built page."""
