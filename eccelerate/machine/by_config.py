"""The simulator of a configuration, selected by its kind."""

from __future__ import annotations

from collections.abc import Callable
from functools import singledispatch

from eccelerate.configs.binary_config import BinaryConfig
from eccelerate.configs.compact_config import CompactConfig
from eccelerate.configs.images import load_program
from eccelerate.configs.kind import Config, ConfigError
from eccelerate.configs.turbo_config import TurboConfig
from eccelerate.machine.digit_simulator import DigitSimulator
from eccelerate.machine.simulator import Simulator
from eccelerate.machine.turbo_simulator import TurboSimulator
from eccelerate.timing import hedge_cycles
from eccelerate.timing.binary_cycles import BinaryBuild

Entropy = Callable[[], int | None]
"""Returns one 32-bit word for each call, or None when the source is empty."""


@singledispatch
def simulator_of(config: Config, entropy: Entropy) -> Simulator:
    """An engine of `config` with its microcode. For a cluster of equal engines, one of them.

    ConfigError for a cluster of several kinds; AsmError if the microcode does not assemble.
    """
    raise ConfigError(f"{config.name} has several kinds of engine: each of them has a simulator of its own")


def _hedged(config: Config, simulator: Simulator, clocks: int) -> None:
    """Hedge the draws of a simulator if the configuration says so."""
    if config.hedged:
        simulator.hedge(clocks)


@simulator_of.register
def _compact(config: CompactConfig, entropy: Entropy) -> DigitSimulator:
    words = load_program(config).words
    simulator = DigitSimulator(words, config.digit_bits, entropy, max_words=config.max_words)
    _hedged(config, simulator, hedge_cycles.COMPACT)
    return simulator


@simulator_of.register
def _turbo(config: TurboConfig, entropy: Entropy) -> TurboSimulator:
    words = load_program(config).words
    simulator = TurboSimulator(
        words, config.prime.p, config.threads, entropy, config.comb, karatsuba=config.karatsuba
    )
    _hedged(config, simulator, hedge_cycles.TURBO)
    return simulator


@simulator_of.register
def _binary(config: BinaryConfig, entropy: Entropy) -> DigitSimulator:
    build = BinaryBuild.of(dict(config.parameters))
    words = load_program(config).words
    simulator = DigitSimulator(words, config.digit_bits, entropy, max_words=config.max_words, binary=build)
    _hedged(config, simulator, hedge_cycles.BINARY)
    return simulator
