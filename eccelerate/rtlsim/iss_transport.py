"""The instruction-set simulator as a transport: the microcode of a configuration, run without RTL."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import groupby

from eccelerate.configs.config import Config
from eccelerate.driver.transport import Reply, TransportError
from eccelerate.machine.by_config import simulator_of
from eccelerate.machine.simulator import EXCLUSIVE, Simulator
from eccelerate.machine.thread_state import ProgramError


class IssTransport:
    """Carries packets to an instruction-set simulator. It counts cycles if jobs do not share the engine."""

    def __init__(self, simulator: Simulator) -> None:
        self.simulator = simulator

    @classmethod
    def of(cls, config: Config, *, seed: int = 1) -> IssTransport:
        """A simulator of `config` whose entropy is repeatable from `seed`."""
        rng = random.Random(seed)

        def entropy() -> int:
            return rng.getrandbits(32)

        return cls(simulator_of(config, entropy))

    def stream(
        self, packets: Sequence[Sequence[int]], progress: Callable[[int], None] | None = None
    ) -> list[Reply]:
        """Responses to packets, in order, without cycles. Successive packets of one kind form groups.

        A cluster is simulated as one engine, because its engines have the same state. Raises as `exchange`.
        """
        replies: list[Reply] = []
        for (first, *_), kind in groupby(packets, lambda w: (w[0] & 0xFFFF, *w[1:2], len(w))):
            alike, most = list(kind), 1 if first & 0xFF in EXCLUSIVE else self.simulator.threads
            for i in range(0, len(alike), most):
                try:
                    answers = self.simulator.submit_group(alike[i : i + most])
                except ProgramError as error:
                    raise _broken(error) from error
                replies += [Reply(list(words)) for words in answers]
                if progress:
                    progress(len(replies))
        return replies

    def exchange(self, words: list[int]) -> Reply:
        """The response to one packet. Raises TransportError if the microcode breaks a rule of the
        machine.
        """
        try:
            response = self.simulator.submit(words)
        except ProgramError as error:
            raise _broken(error) from error
        return Reply(list(response), self.simulator.cycles if self.simulator.threads == 1 else None)


def _broken(error: ProgramError) -> TransportError:
    return TransportError(f"the microcode broke a rule of the machine: {error}")
