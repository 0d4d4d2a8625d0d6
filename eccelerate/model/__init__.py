"""Golden models in plain integers: field, points, ECDH, ECDSA, X25519/X448, and the engine's jobs."""
