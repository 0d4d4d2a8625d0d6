"""Opens an engine of a configuration on one of the backends."""

from __future__ import annotations

import random
from pathlib import Path

from eccelerate.driver import Engine
from eccelerate.model.engine import GoldenEngine
from eccelerate.sim.config import Config
from eccelerate.sim.golden_transport import GoldenTransport
from eccelerate.sim.iss_transport import IssTransport
from eccelerate.sim.rtl import RtlTransport

BACKENDS = ("rtl", "iss", "golden")


def open_engine(config: Config, backend: str = "rtl", *, wave: Path | None = None, seed: int = 1) -> Engine:
    """An engine without a curve.

    backend: "rtl" (the cycle-accurate model), "iss" (microcode on the instruction-set simulator) or "golden"
    (plain mathematics). wave: waveform file, RTL only. seed: of the entropy port.
    Raises ValueError for an unknown backend or a waveform without RTL; BuildError, ConfigError, AsmError.
    """
    if backend not in BACKENDS:
        raise ValueError(f"backend must be one of {', '.join(BACKENDS)}, not {backend!r}")
    if wave is not None and backend != "rtl":
        raise ValueError(f"only the RTL model writes waveforms: leave out --wave or the {backend} backend")
    transport: RtlTransport | IssTransport | GoldenTransport
    binary = config.binary
    if backend == "rtl":
        transport = RtlTransport(config, wave, seed=seed)
    elif backend == "iss":
        transport = IssTransport.of(config, seed=seed)
    else:
        entropy, digits = random.Random(seed).getrandbits, config.digit_bits
        golden = GoldenEngine(entropy, max_words=config.max_words, digit_bits=digits, binary=binary)
        transport = GoldenTransport(golden)
    prime = None if config.prime is None else config.prime.p
    return Engine(
        transport,
        binary=binary,
        prime=prime,
        polynomials=config.polynomials,
        generic_degree=config.generic_degree,
    )
