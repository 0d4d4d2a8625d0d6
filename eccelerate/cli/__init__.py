"""The `eccel` command."""

from eccelerate.cli.app import app, main

__all__ = ["app", "main"]
