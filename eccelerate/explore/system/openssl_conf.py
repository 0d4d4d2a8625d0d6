"""Configurations of OpenSSL that load the provider, for measurements and demonstrations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from eccelerate.external import openssl_provider

STRICT: Mapping[str, str] = {"fallback": "no"}
"""Operations fail rather than run in software."""
ALGORITHMS = "alg_section = algorithms\n"


@dataclass(frozen=True)
class OpensslConf:
    """A configuration with the default provider and ours.

    module: the provider's file; devices: URIs; settings: further ones of the provider's section; weak: permit
    curves below 112 bits in TLS, also where a server has no option for it.
    """

    module: Path
    devices: str
    settings: Mapping[str, str] = field(default_factory=lambda: dict(STRICT))
    weak: bool = False

    def text(self) -> str:
        """The text of the file."""
        text = openssl_provider.configuration(self.module, {"devices": self.devices, **self.settings})
        if not self.weak:
            return text
        text = text.replace(ALGORITHMS, f"{ALGORITHMS}ssl_conf = ssl\n", 1)
        return f"{text}\n[ssl]\nsystem_default = weak\n\n[weak]\nCipherString = ALL:@SECLEVEL=0\n"

    def write(self, path: Path) -> Path:
        """Write the file; returns its path."""
        path.write_text(self.text())
        return path
