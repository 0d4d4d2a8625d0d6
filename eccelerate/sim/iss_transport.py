"""The instruction-set simulator as a transport: the microcode of a configuration, run without RTL."""

from __future__ import annotations

import random

from eccelerate.driver.transport import Reply, TransportError
from eccelerate.sim.config import Config
from eccelerate.sim.cycles import CycleModel
from eccelerate.sim.iss import Iss, IssTrap
from eccelerate.sim.program import load_program


class IssTransport:
    """Carries packets to an instruction-set simulator.

    cycles are reported only when a cycle model of the engine was given.
    """

    def __init__(self, simulator: Iss, *, counts_cycles: bool = False) -> None:
        self.simulator = simulator
        self.counts_cycles = counts_cycles

    @classmethod
    def of(cls, config: Config, *, seed: int = 1, cycle_model: CycleModel | None = None) -> IssTransport:
        """A simulator of `config` whose entropy is repeatable from `seed`."""
        rng = random.Random(seed)
        program = load_program(config)
        simulator = Iss(
            program.words, config.digit_bits, entropy=lambda: rng.getrandbits(32), cycle_model=cycle_model
        )
        return cls(simulator, counts_cycles=cycle_model is not None)

    def exchange(self, words: list[int]) -> Reply:
        """The response to one packet. Raises TransportError when the microcode breaks a rule of the
        machine.
        """
        try:
            response = self.simulator.submit(words)
        except IssTrap as error:
            raise TransportError(f"the microcode broke a rule of the machine: {error}") from error
        return Reply(list(response), self.simulator.cycles if self.counts_cycles else None)
