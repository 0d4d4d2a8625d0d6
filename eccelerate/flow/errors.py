"""The only exception of the flow."""

from pathlib import Path


class FlowError(RuntimeError):
    """A tool failed, or its result must not be used. The message says why, and where the log is."""

    def __init__(self, message: str, log: Path | None = None) -> None:
        super().__init__(f"{message} (log: {log})" if log else message)
        self.log = log
