"""The one place from which other programs are started."""

from eccelerate.external.command import CommandError, MissingError, Outcome, is_installed, run

__all__ = ["CommandError", "MissingError", "Outcome", "is_installed", "run"]
