"""Writes configurations of OpenSSL that load the provider, for measurements and demonstrations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

STRICT = {"fallback": "no"}
"""Operations fail rather than run in software."""


@dataclass(frozen=True)
class OpensslConf:
    """A configuration with the default provider and ours.

    module: the provider's file; devices: URIs; settings: further ones of the provider's section; properties:
    the query that all fetches use; weak: permit curves below 112 bits in TLS, also where a server has no
    option for it.
    """

    module: Path
    devices: str
    settings: Mapping[str, str] = field(default_factory=lambda: dict(STRICT))
    properties: str = "?provider=eccel"
    weak: bool = False

    def text(self) -> str:
        """The text of the file."""
        settings = "".join(f"{name} = {value}\n" for name, value in self.settings.items())
        ssl_line, ssl = "", ""
        if self.weak:
            ssl_line = "ssl_conf = ssl\n"
            ssl = "\n[ssl]\nsystem_default = weak\n\n[weak]\nCipherString = ALL:@SECLEVEL=0\n"
        head = f"[openssl]\nproviders = providers\nalg_section = algorithms\n{ssl_line}"
        providers = "[providers]\ndefault = provider_default\neccel = provider_eccel"
        ours = f"[provider_eccel]\nmodule = {self.module}\nactivate = 1\ndevices = {self.devices}\n{settings}"
        return (
            f"openssl_conf = openssl\n\n{head}\n{providers}\n\n[provider_default]\nactivate = 1\n\n{ours}\n"
            f"[algorithms]\ndefault_properties = {self.properties}\n{ssl}"
        )

    def write(self, path: Path) -> Path:
        """Write the file; returns its path."""
        path.write_text(self.text())
        return path
