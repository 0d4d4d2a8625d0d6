"""Makes keys and certificates with the `openssl` command under a configuration of OpenSSL."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from eccelerate import external
from eccelerate.explore.handshakes import NAME
from eccelerate.explore.system.eccel_load import LoadError, clean_environment

SECONDS = 120


@dataclass(frozen=True)
class TlsKey:
    """A private key and its certificate, as PEM files. group: its curve, as OpenSSL calls it."""

    group: str
    key: Path
    certificate: Path


def make_tls_key(group: str, folder: Path, conf: Path | None) -> TlsKey:
    """A key and a certificate that it signs itself, for `localhost`. Raises LoadError, CommandError.

    conf: configuration of OpenSSL that loads our provider; none: stock OpenSSL.
    """
    folder.mkdir(parents=True, exist_ok=True)
    made = TlsKey(group, folder / f"{group}.key", folder / f"{group}.crt")
    made.key.touch(mode=0o600)
    run_openssl(
        ["genpkey", "-algorithm", "EC", "-pkeyopt", f"ec_paramgen_curve:{group}",
         "-pkeyopt", "ec_param_enc:named_curve", "-out", made.key],
        conf,
    )  # fmt: skip
    request = folder / "request.cnf"
    request.write_text(
        f"[req]\ndistinguished_name = name\nx509_extensions = more\nprompt = no\n[name]\nCN = {NAME}\n"
        f"[more]\nsubjectAltName = DNS:{NAME}\nbasicConstraints = critical, CA:true\n"
    )
    words: list[str | Path] = ["req", "-config", request, "-x509", "-sha256", "-days", "2", "-key", made.key]
    run_openssl([*words, "-out", made.certificate], conf)
    return made


def run_openssl(words: list[str | Path], conf: Path | None, *, given: str | None = None) -> external.Outcome:
    """Run the `openssl` command. Raises LoadError with its message if it fails."""
    env = clean_environment(**({"OPENSSL_CONF": str(conf)} if conf else {}))
    done = external.run(["openssl", *words], timeout=SECONDS, env=env, given=given)
    if done.code:
        raise LoadError(f"openssl {' '.join(map(str, words))}: {done.errors.strip()}")
    return done
