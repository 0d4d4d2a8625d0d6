"""Opens an engine of a configuration on one of the backends."""

from __future__ import annotations

import random
from pathlib import Path

from eccelerate.configs.config import Config
from eccelerate.driver import Engine, Transport
from eccelerate.model.golden_engine import GoldenEngine
from eccelerate.rtlsim.golden_transport import GoldenTransport
from eccelerate.rtlsim.iss_transport import IssTransport
from eccelerate.rtlsim.pool_transport import PoolTransport
from eccelerate.rtlsim.rtl import RtlTransport

BACKENDS = ("rtl", "iss", "golden")


def open_engine(config: Config, backend: str = "rtl", *, wave: Path | None = None, seed: int = 1) -> Engine:
    """An engine, or a cluster, without a curve.

    backend: "rtl" (the cycle-accurate model), "iss" (microcode on the instruction-set simulator) or "golden"
    (plain mathematics). wave: waveform file, RTL only. seed: of the entropy port.
    Raises ValueError for an unknown backend or a waveform without RTL; BuildError, ConfigError, AsmError.
    """
    if backend not in BACKENDS:
        raise ValueError(f"backend must be one of {', '.join(BACKENDS)}, not {backend!r}")
    if wave is not None and backend != "rtl":
        raise ValueError(f"only the RTL model writes waveforms: leave out --wave or the {backend} backend")
    transport: Transport
    if backend == "rtl":
        transport = RtlTransport(config, wave, seed=seed)
    elif config.single is None:
        members = [member for member, _ in config.pools]
        ways = [_without_rtl(member, backend, seed + number) for number, member in enumerate(members)]
        transport = PoolTransport(ways, [member.max_words for member in members])
    else:
        transport = _without_rtl(config.single, backend, seed)
    return Engine(transport, pools=[member for member, _ in config.pools])


def _without_rtl(config: Config, backend: str, seed: int) -> IssTransport | GoldenTransport:
    if backend == "iss":
        return IssTransport.of(config, seed=seed)
    entropy, digits = random.Random(seed).getrandbits, config.digit_bits
    return GoldenTransport(
        GoldenEngine(entropy, max_words=config.max_words, digit_bits=digits, binary=config.binary)
    )
