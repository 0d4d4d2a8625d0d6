"""A group of jobs on the lock-step simulator, where each job is compared with the mathematics."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache

from eccelerate.configs.config import ROOT, load_configs
from eccelerate.configs.turbo_config import TurboConfig
from eccelerate.curves import Curve
from eccelerate.driver.packet import Request, decode_response
from eccelerate.machine.turbo_simulator import TurboSimulator
from eccelerate.model import point
from eccelerate.model.comb import Comb
from eccelerate.model.golden_engine import GoldenEngine
from eccelerate.model.jobs import Op, curve_load_operands
from eccelerate.ucode.asm import assemble

CURVE_ID = 7


@cache
def program(name: str = "turbo") -> tuple[int, ...]:
    """Words of a microcode of the turbo engine."""
    return tuple(assemble(ROOT / "ucode" / f"{name}.toml").words)


def program_for(curve: Curve, threads: int) -> str:
    """The program of the configuration for `curve`; for a prime without one, that of P-256."""
    found = {
        config.curve_name: config.program
        for config in load_configs().values()
        if isinstance(config, TurboConfig) and not config.curve and (config.threads == 1) == (threads == 1)
    }
    return found.get(curve.name, found["P-256"])


class Group:
    """One engine with `threads` threads and its golden model, on `curve`.

    unit: the prime of the field unit if it is not that of the curve; the program is then `turbo_generic`.
    table: whether the engine has the table of its base point.
    """

    def __init__(
        self,
        curve: Curve,
        threads: int = 4,
        unit: int | None = None,
        *,
        table: bool = True,
    ) -> None:
        self.threads = threads
        self.rng = random.Random(curve.name)
        self.dry = False
        """Whether the entropy port gives nothing."""
        self.drawn = random.Random()
        """The source of the model's draws."""
        words = program(program_for(curve, threads) if unit is None else "turbo_generic")
        comb = Comb(curve) if table and unit is None else None
        self.iss = TurboSimulator(words, unit or curve.p, threads, entropy=self._entropy, comb=comb)
        # The field unit has no constant of p, and computes that of n itself.
        self.golden = GoldenEngine(self._draw, max_words=curve.element_words, digit_bits=0)
        self.load(curve)

    def load(self, curve: Curve) -> None:
        """Load another curve over the same field."""
        self.curve = curve
        self.expect(Op.CURVE_LOAD, [curve_load_operands(curve)])

    def _entropy(self) -> int | None:
        return None if self.dry else self.rng.getrandbits(32)

    def _draw(self, bits: int) -> int:
        """As many words as the port gives in a job of one thread."""
        return sum(self.drawn.getrandbits(32) << 32 * i for i in range(bits // 32))

    def packet(self, op: int, operands: Sequence[int], tag: int = 0, flags: int = 0) -> list[int]:
        """A request of this curve."""
        return Request(op, CURVE_ID, tag, flags, self.curve.element_words, tuple(operands)).words()

    def expect(self, op: Op, jobs: Sequence[Sequence[int]], flags: int = 0) -> list[int]:
        """Run the jobs as one group. Every response must be the model's. Returns the statuses."""
        packets = [self.packet(op, operands, tag, flags) for tag, operands in enumerate(jobs)]
        responses = [
            decode_response(words, self.curve.element_words) for words in self.iss.submit_group(packets)
        ]
        for tag, (response, operands) in enumerate(zip(responses, jobs, strict=True)):
            if op == Op.CURVE_LOAD:
                want = self.golden.load(self.curve, CURVE_ID)
            else:
                want = self.golden.do(op, *operands, flags=flags)
            assert (response.tag, response.status, response.results) == (tag, want.status, want.values), (
                operands
            )
        return [response.status for response in responses]

    def in_groups(self, op: Op, jobs: Sequence[Sequence[int]], flags: int = 0) -> list[int]:
        """`expect` for any number of jobs."""
        parts = [jobs[i : i + self.threads] for i in range(0, len(jobs), self.threads)]
        return [status for part in parts for status in self.expect(op, part, flags)]

    def point(self) -> tuple[int, int]:
        """A random point."""
        p = point.base_mul(self.curve, self.rng.randrange(1, self.curve.n))
        assert p is not None
        return p
