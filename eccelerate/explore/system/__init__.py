"""Rates and costs of the whole system, as a program on libcrypto sees them."""
