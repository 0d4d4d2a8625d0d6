"""The instruction-set simulator as a transport: the microcode of a configuration, run without RTL."""

from __future__ import annotations

import random

from eccelerate.driver.transport import Reply, TransportError
from eccelerate.sim.config import Config
from eccelerate.sim.iss import Iss, IssTrap
from eccelerate.sim.lockstep import LockstepIss
from eccelerate.sim.program import load_program


class IssTransport:
    """Carries packets to an instruction-set simulator; cycles are counted where no jobs share the engine."""

    def __init__(self, simulator: Iss | LockstepIss) -> None:
        self.simulator = simulator

    @classmethod
    def of(cls, config: Config, *, seed: int = 1) -> IssTransport:
        """A simulator of `config` whose entropy is repeatable from `seed`."""
        rng = random.Random(seed)

        def entropy() -> int:
            return rng.getrandbits(32)

        words = load_program(config).words
        if config.prime is not None:
            return cls(LockstepIss(words, config.prime.p, config.threads, entropy))
        return cls(Iss(words, config.digit_bits, entropy, max_words=config.max_words))

    def exchange(self, words: list[int]) -> Reply:
        """The response to one packet. Raises TransportError when the microcode breaks a rule of the
        machine.
        """
        try:
            response = self.simulator.submit(words)
        except IssTrap as error:
            raise TransportError(f"the microcode broke a rule of the machine: {error}") from error
        return Reply(list(response), self.simulator.cycles if isinstance(self.simulator, Iss) else None)
