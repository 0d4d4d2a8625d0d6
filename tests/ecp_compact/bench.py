"""An engine compared with the golden model: same packets, same entropy, same responses."""

from __future__ import annotations

import random
from collections.abc import Sequence

from eccelerate.configs.config import Config, find_config
from eccelerate.curves import Curve
from eccelerate.driver import Engine, JobResult
from eccelerate.driver.packet import Request
from eccelerate.model import ecdsa, point
from eccelerate.model.golden_engine import GoldenEngine
from eccelerate.model.jobs import Flag, Op
from eccelerate.rtlsim.golden_transport import GoldenTransport
from eccelerate.rtlsim.iss_transport import IssTransport
from eccelerate.rtlsim.rtl import Entropy, RtlTransport
from eccelerate.rtlsim.verilate import ModelSource

DIGITS = (16, 32, 64)
CURVE_ID = 1


def config_of(digit_bits: int) -> Config:
    """The compact engine with digits of so many bits."""
    return find_config(f"compact-w{digit_bits}")


class Comparison:
    """An engine with its transport, and its golden model.

    The model draws first. The engine then gets exactly these words: an engine that draws one word more than
    it should ends with NO_ENTROPY.
    """

    def __init__(
        self,
        transport: RtlTransport | IssTransport,
        max_words: int,
        digit_bits: int,
        *,
        binary: bool = False,
        seed: int = 1,
    ) -> None:
        self.rng = random.Random(seed)
        self.dry = False
        self._drawn: list[int] = []
        golden = GoldenEngine(self._draw, max_words=max_words, digit_bits=digit_bits, binary=binary)
        self.golden = GoldenTransport(golden)
        self.transport = transport
        self.engine = Engine(self.transport, binary=binary)
        self.curve: Curve | None = None

    def _draw(self, bits: int) -> int | None:
        if self.dry:
            return None
        words = [self.rng.getrandbits(32) for _ in range(bits // 32)]
        self._drawn += words
        return sum(word << 32 * i for i, word in enumerate(words))

    def expect(self, words: Sequence[int]) -> list[int]:
        """The model's response to a packet. The engine's entropy port then has the words that the model
        drew.
        """
        self._drawn.clear()
        expected = self.golden.exchange(list(words)).words
        if isinstance(self.transport, RtlTransport):
            self.transport.entropy(Entropy.NONE)
            self.transport.entropy_words(self._drawn)
        else:
            draws = iter(self._drawn)
            self.transport.simulator.state.entropy = lambda: next(draws, None)
        return expected

    def exchange(self, words: Sequence[int]) -> list[int]:
        """The engine's response to a packet, which has to equal the model's."""
        expected = self.expect(words)
        got = self.transport.exchange(list(words)).words
        assert got == expected, f"{_hex(words)}: {_hex(got)}, expected {_hex(expected)}"
        return got

    def submit(self, op: int, operands: Sequence[int] = (), flags: int = 0) -> JobResult:
        """A job on the loaded curve, which both answer alike."""
        width = self.curve.element_words if self.curve else 6
        tag = self.rng.getrandbits(16)
        words = self.exchange(Request(op, CURVE_ID, tag, int(flags), width, tuple(operands)).words())
        values = [
            sum(word << 32 * i for i, word in enumerate(words[2 + at : 2 + at + width]))
            for at in range(0, words[1], width)
        ]
        return JobResult(op, words[0] & 0xFF, tuple(values))

    def load(self, curve: Curve) -> None:
        """Load a curve on both. `exchange` does not compare this."""
        self.curve = curve
        for engine in (Engine(self.golden, binary=curve.kind == "binary"), self.engine):
            engine.load_curve(curve, CURVE_ID)


class Bench(Comparison):
    """A compact engine on "rtl" or "iss"."""

    def __init__(
        self, backend: str, digit_bits: int = 32, seed: int = 1, source: ModelSource | None = None
    ) -> None:
        """source: other sources of the RTL than those of the configuration."""
        config = config_of(digit_bits)
        transport = RtlTransport(source or config) if backend == "rtl" else IssTransport.of(config)
        super().__init__(transport, config.max_words, digit_bits, seed=seed)


def _hex(words: Sequence[int]) -> str:
    return " ".join(f"{word:08x}" for word in words)


def random_jobs(curve: Curve, rng: random.Random) -> list[tuple[Op, tuple[int, ...], int]]:
    """Every operation of the curve's kind at least once, on random operands, with every flag that it
    knows.
    """
    n = curve.n
    modular = [
        (op, tuple(rng.randrange(m) for _ in range(count)), flags)
        for flags, m in ((0, curve.field_size), (Flag.MOD_N, n))
        for op, count in ((Op.MOD_MUL, 2), (Op.MOD_INV, 1), (Op.MOD_EXP, 2), (Op.MOD_ADD, 2), (Op.MOD_SUB, 2))
    ]
    if curve.kind == "montgomery":
        top = 1 << curve.p_bits - 1
        k = rng.randrange(top, 2 * top)
        return [
            *modular,
            (Op.X_LADDER, (k, rng.randrange(curve.p)), 0),
            (Op.SELF_TEST, (), 0),
            (Op.ZEROISE, (), 0),
        ]
    d, k, u = (rng.randrange(1, n) for _ in range(3))
    e = rng.getrandbits(n.bit_length())
    public, other = point.base_mul(curve, d), point.base_mul(curve, u)
    signature = ecdsa.sign(curve, d, e, k)
    if public is None or other is None or signature is None:
        return random_jobs(curve, rng)
    key, drawn, blind = Flag.KEY, Flag.RANDOM, Flag.BLIND
    refused = [(Op.X_LADDER, (k, public[0]), 0)]
    return [
        *(refused if curve.kind == "binary" else []),
        (Op.ECDH, (*public, u), Flag.COFACTOR),
        (Op.ECDH, (*public, u), Flag.COFACTOR | blind),
        (Op.MUL, (rng.getrandbits(curve.order_bits), *public), 0),
        (Op.MUL, (k, *public), blind),
        (Op.MUL, (k, 0, 0), 0),
        (Op.BASE_MUL, (rng.getrandbits(curve.order_bits),), 0),
        (Op.DOUBLE_MUL, (k, u, *public), 0),
        (Op.POINT_ADD, (*public, *other), 0),
        (Op.POINT_ADD, (*public, *public), 0),
        (Op.ON_CURVE, public, 0),
        (Op.ON_CURVE, (public[0], other[1]), 0),
        (Op.ECDH, (*public, u), 0),
        (Op.ECDSA_SIGN, (e, d, k), 0),
        (Op.ECDSA_SIGN, (e, d), drawn | blind),
        (Op.ECDSA_VERIFY, (e, *signature, *public), 0),
        (Op.ECDSA_VERIFY, (e, *signature, *other), 0),
        (Op.ECDSA_VERIFY, (e ^ 1, *signature, *public), 0),
        (Op.ECDH, public, key),
        (Op.KEYGEN, (d,), 0),
        (Op.ECDH, other, key | blind),
        (Op.ECDSA_SIGN, (e, k), key),
        (Op.KEY_LOAD, (u,), Flag.HOST_NONCE),
        (Op.ECDSA_SIGN, (e, k), key),
        (Op.KEYGEN, (), drawn),
        (Op.ECDSA_SIGN, (e,), key | drawn),
        *modular,
        (Op.SELF_TEST, (), 0),
        (Op.ZEROISE, (), 0),
        (Op.ECDH, public, key),
    ]
