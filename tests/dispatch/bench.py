"""eccel_dispatch with model engines, and the account of every packet: it gets one response, and the right
one.
"""

from __future__ import annotations

import ctypes
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path

from eccelerate.configs.config import RTL_DIR
from eccelerate.driver.cluster import ClusterOp
from eccelerate.driver.packet import Request
from eccelerate.model.jobs import Flag, Op, Status
from tests.verilated import Patch, Unit, patched

HARNESS = Path(__file__).with_name("harness.cpp")
WIDTH = 8
WIDTHS = (WIDTH, 6, 7, WIDTH)
"""W of the engines of each pool: no packet fits all pools."""
IDS_PER_POOL = 64
OWN_TAG = 0x77
"""Tag of packets for the dispatcher itself. Jobs have smaller tags."""
CURVE = 1
"""The curve id that a pool uses, of those that belong to it."""
MASK = 0xFFFFFFFF
SOURCES = (
    "isa/eccel_packet_pkg.sv",
    "isa/gen/eccel_isa_pkg.sv",
    "engine/gen/eccel_health_pkg.sv",
    "prim/eccel_ram.sv",
    "engine/eccel_entropy_health.sv",
    "dispatch/eccel_dispatch_pkg.sv",
    "dispatch/eccel_dispatch_queue.sv",
    "dispatch/eccel_dispatch_send.sv",
    "dispatch/eccel_dispatch_answer.sv",
    "dispatch/eccel_dispatch_lane.sv",
    "dispatch/eccel_dispatch_emit.sv",
    "dispatch/eccel_dispatch_count.sv",
    "dispatch/eccel_dispatch_entropy.sv",
    "dispatch/eccel_dispatch.sv",
)
STALL_BITS, JOB_BITS = 8, 11
"""An engine is given up after about 15 * 2^STALL_BITS clocks without a word, 15 * 2^JOB_BITS without an
answer."""
QUIET = 3000
"""Clocks after the last answer in which no other one may come."""


class Break(IntEnum):
    """How a model engine can fail."""

    NONE = 0
    STUCK = 1
    DEAF = 2
    WRONG_TAG = 3
    OLD_TAG = 4
    WRONG_OP = 5
    EARLY_LAST = 6
    LATE_LAST = 7
    TWICE = 8
    UNASKED = 9
    HALF = 10
    RESERVED = 11
    TOO_LONG = 12


@dataclass(frozen=True)
class Settings:
    """Percent of clocks in which host and engines stall, clocks of a group, and clocks for which an
    incomplete group waits.
    """

    req_stall: int = 0
    rsp_stall: int = 0
    eng_stall: int = 0
    run: tuple[int, int] = (300, 600)
    wait: int = 2047
    seed: int = 1


class _Settings(ctypes.Structure):
    _fields_ = [
        (name, ctypes.c_uint32)
        for name in ("req_stall", "rsp_stall", "eng_stall", "run_min", "run_max", "wait")
    ]


@dataclass(frozen=True)
class Answer:
    """A response, and the clock of its last word."""

    tag: int
    op: int
    status: int
    words: tuple[int, ...]
    clock: int


def hashed(words: Sequence[int], seed: int = 0) -> int:
    """The model engine's hash."""
    h = 2166136261 ^ seed
    for word in words:
        h = (h ^ word) * 16777619 & MASK
    return h


Keys = int | None | Mapping[int, int | None]
"""The key hash in use, or that of each pool."""


def pool_of(packet: Sequence[int]) -> int:
    """The pool that the curve id names."""
    return (packet[0] >> 8 & 0xFF) // IDS_PER_POOL


def wanted(packet: Sequence[int], key: Keys = None, pools: int = 1) -> tuple[int, tuple[int, ...]]:
    """Status and result words of a model engine with a curve."""
    op, pool = packet[0] & 0xFF, pool_of(packet)
    if pools > 1 and pool >= pools and op != Op.ZEROISE:
        return Status.BAD_CURVE, ()
    if isinstance(key, Mapping):
        key = key.get(pool)
    if len(packet) < 2 or packet[1] & 0xFFFF != len(packet) - 2:
        return Status.BAD_LENGTH, ()
    flags, width = packet[1] >> 16 & 0xFF, packet[1] >> 24
    if op > 0x2F or flags > 15:
        return Status.BAD_OP, ()
    if op in (Op.CURVE_LOAD, Op.ZEROISE, Op.KEY_LOAD, Op.SELF_TEST):
        return Status.OK, ()
    if op == Op.ECDH and flags & Flag.KEY:
        if key is None:
            return Status.NO_KEY, ()
        h, results = hashed(packet[2:], key), 1
    else:
        h, results = hashed(packet[2:], packet[1]), op % 3
    return Status.OK, tuple(h + i * 0x9E3779B9 & MASK for i in range(results * width))


@dataclass
class Bench:
    """A dispatcher with its engines after reset.

    `pools` gives engines and threads of each pool, in place of `engines` and `threads` for a single pool.
    """

    engines: int = 3
    threads: int = 4
    patches: Sequence[Patch] = ()
    pools: Sequence[tuple[int, int]] = ()
    _unit: ctypes.c_void_p = field(init=False)

    def __post_init__(self) -> None:
        sizes = self.pools or [(self.engines, self.threads)]
        self.engines, self.threads = sum(n for n, _ in sizes), max(threads for _, threads in sizes)
        each = [(pool, threads) for pool, (n, threads) in enumerate(sizes) for _ in range(n)]
        threads_of, widths = [threads for _, threads in each], [WIDTHS[pool] for pool, _ in each]
        texts = {Path(name).name: (RTL_DIR / name).read_text() for name in SOURCES}
        parameters: dict[str, int | str] = {"Engines": self.engines, "MaxWords": WIDTH}
        parameters |= {"StallBits": STALL_BITS, "JobBits": JOB_BITS, "StartupWords": 0}
        if self.pools:
            parameters |= {"Pools": len(sizes), "PoolOf": _fields([pool for pool, _ in each], 2)}
            parameters |= {"ThreadsOf": _fields(threads_of, 4), "WordsOf": _fields(widths, 5)}
        else:
            parameters["Threads"] = self.threads
        self._lib = Unit(
            room="dispatch",
            name="dispatch-" + "-".join(f"{n}x{threads}" for n, threads in sizes),
            top="eccel_dispatch",
            harness=HARNESS,
            texts=patched(texts, self.patches),
            parameters=[f"-G{name}={value}" for name, value in parameters.items()],
            settings=[
                f"-DENGINES={self.engines}",
                f"-DTHREADS_OF={','.join(map(str, threads_of))}",
                f"-DWIDTHS_OF={','.join(map(str, widths))}",
            ],
            unknown="unique",
        ).load()
        self._lib.unit_clock.restype = ctypes.c_uint64
        self._lib.unit_breach.restype = ctypes.c_char_p
        self._unit = ctypes.c_void_p(self._lib.unit_open())

    def __del__(self) -> None:
        if hasattr(self, "_unit"):
            self._lib.unit_close(self._unit)

    def set(self, settings: Settings) -> None:
        """Change stalls and latencies from now on."""
        s = settings
        raw = _Settings(s.req_stall, s.rsp_stall, s.eng_stall, *s.run, s.wait)
        self._lib.unit_settings(self._unit, ctypes.byref(raw), ctypes.c_uint64(s.seed))

    def breaks(self, engine: int, how: Break, after: int = 0, *, permanent: bool = False) -> None:
        """The engine fails from now on, or after some responses: until its reset, or permanently."""
        self._lib.unit_break(self._unit, engine, int(how), after, int(permanent))

    def raise_alarm(self, engine: int) -> None:
        """The engine has found an error of its own: until its reset."""
        self._lib.unit_alarm(self._unit, engine)

    def fail_self_test(self, engine: int) -> None:
        self._lib.unit_fail_self_test(self._unit, engine)

    def reset(self, clocks: int = 3) -> None:
        self._lib.unit_reset(self._unit, clocks)

    @property
    def clock(self) -> int:
        return int(self._lib.unit_clock(self._unit))

    @property
    def busy(self) -> bool:
        return bool(self._lib.unit_busy(self._unit))

    @property
    def alarm(self) -> bool:
        return bool(self._lib.unit_alarmed(self._unit))

    @property
    def drawn(self) -> int:
        return int(self._lib.unit_drawn(self._unit))

    def groups(self) -> list[int]:
        return [self._lib.unit_groups(self._unit, e) for e in range(self.engines)]

    def jobs(self) -> list[int]:
        return [self._lib.unit_jobs(self._unit, e) for e in range(self.engines)]

    def resets(self) -> list[int]:
        return [self._lib.unit_resets(self._unit, e) for e in range(self.engines)]

    def run(
        self, packets: Sequence[Sequence[int]], *, limit: int = 3_000_000, zeroise_at: int | None = None
    ) -> list[Answer]:
        """Stream packets. Each one must get one response, and then no other one may come for a while."""
        answers = self._stream(packets, limit, zeroise_at)
        assert len(answers) == len(packets), f"{len(answers)} answers to {len(packets)} packets"
        return answers

    def interrupted(self, packets: Sequence[Sequence[int]], clocks: int) -> None:
        """Stream packets for so many clocks, and then reset everything for one clock."""
        self._stream(packets, clocks, None)
        self.reset(clocks=1)

    def _stream(self, packets: Sequence[Sequence[int]], limit: int, zeroise_at: int | None) -> list[Answer]:
        count = len(packets)
        words = [word for packet in packets for word in packet]
        response = (ctypes.c_uint32 * (64 * (count + 8)))()
        sizes, done = (ctypes.c_uint32 * (count + 9))(), (ctypes.c_uint64 * (count + 9))()
        came = self._lib.unit_run(
            self._unit, (ctypes.c_uint32 * len(words))(*words), (ctypes.c_uint32 * count)(*map(len, packets)),
            count, response, len(response), sizes, done, count,
            ctypes.c_uint64(QUIET), ctypes.c_uint64(limit),
            ctypes.c_uint64((1 << 64) - 1 if zeroise_at is None else zeroise_at),
        )  # fmt: skip
        breach = self._lib.unit_breach(self._unit).decode()
        assert not breach, breach
        answers, at = [], 0
        for size, clock in zip(sizes[:came], done[:came], strict=True):
            packet = response[at : at + size]
            assert size >= 2 and packet[1] == size - 2, "a response is not as long as it says"
            first = packet[0]
            answers.append(Answer(first >> 16, first >> 8 & 0xFF, first & 0xFF, tuple(packet[2:]), clock))
            at += size
        return answers

    def load_curve(self, pool: int = 0) -> Answer:
        """CURVE_LOAD: every engine of the pool that answers is in service afterwards."""
        (answer,) = self.run([request(Op.CURVE_LOAD, 8, pool=pool)])
        return answer

    def counters(self, engine: int) -> tuple[int, ...]:
        """Jobs, resets, busy and total units of 1,024 clocks, and state of an engine."""
        (answer,) = self.run([own(ClusterOp.COUNTERS, engine)])
        assert answer.status == Status.OK
        return answer.words


def _fields(values: Sequence[int], bits: int) -> str:
    """A packed parameter with a field for each of 16 engines. The lowest field belongs to engine 0."""
    return f"{16 * bits}'h{sum(value << bits * e for e, value in enumerate(values)):x}"


def request(
    op: int, operands: int = 3, tag: int = 0, flags: int = 0, rng: random.Random | None = None, pool: int = 0
) -> list[int]:
    """A packet with random operands for a pool."""
    rng, width = rng or random.Random(op * 1000 + operands), WIDTHS[pool]
    values = tuple(rng.getrandbits(32 * width - 6) for _ in range(operands))
    return Request(op, pool * IDS_PER_POOL + CURVE, tag, flags, width, values).words()


def own(op: ClusterOp, engine: int, tag: int = OWN_TAG) -> list[int]:
    """A packet for the dispatcher itself."""
    return Request(op, engine, tag, 0, WIDTH).words()


def malformed(rng: random.Random, tag: int, pool: int = 0) -> list[int]:
    """A packet that no engine can run. Its length is at most three times that of the longest valid packet."""
    packet = request(rng.choice((Op.MUL, Op.BASE_MUL, Op.ECDH)), 3, tag, 0, rng, pool)
    return rng.choice(
        (
            packet[:1],
            packet[: rng.randrange(2, len(packet))],
            [*packet, *(rng.getrandbits(32) for _ in range(rng.randrange(1, 170)))],
            request(rng.randrange(0x42, 0x100), 2, tag, 0, rng, pool),
            request(Op.MUL, 3, tag, 0x40, rng, pool),
        )
    )


def jobs(rng: random.Random, count: int, bad: float = 0.0, pools: int = 1) -> Iterator[list[int]]:
    """Jobs of several kinds for the pools, with tags that repeat. A share of `bad` of the packets is
    malformed.
    """
    for _ in range(count):
        tag = rng.randrange(40)
        pool = rng.randrange(pools) if pools > 1 else 0
        if rng.random() < bad:
            yield malformed(rng, tag, pool)
        else:
            op, operands = rng.choice(
                ((Op.MUL, 3), (Op.MUL, 3), (Op.BASE_MUL, 1), (Op.POINT_ADD, 4), (Op.ECDSA_VERIFY, 5))
            )
            yield request(op, operands, tag, 0, rng, pool)


def account(
    packets: Sequence[Sequence[int]],
    answers: Sequence[Answer],
    *,
    faults: int = 0,
    key: Keys = None,
    pools: int = 1,
) -> int:
    """No response is lost, duplicated or swapped: each one is that of a packet with its tag and operation, or
    an ENGINE_FAULT, at most `faults` times. Returns the number of ENGINE_FAULT responses.
    """
    open_: defaultdict[tuple[int, int], Counter[tuple[int, tuple[int, ...]]]] = defaultdict(Counter)
    for packet in packets:
        open_[packet[0] >> 16, packet[0] & 0xFF][wanted(packet, key, pools)] += 1
    failed: Counter[tuple[int, int]] = Counter()
    for answer in answers:
        place = answer.tag, answer.op
        if answer.status == Status.ENGINE_FAULT:
            assert not answer.words
            failed[place] += 1
        else:
            got = (answer.status, answer.words)
            assert open_[place][got] > 0, f"no packet has this answer: {answer}"
            open_[place][got] -= 1
    left = Counter({place: sum(each.values()) for place, each in open_.items() if sum(each.values())})
    assert left == failed, "answers under a tag that no packet has"
    total = sum(failed.values())
    assert total <= faults, f"{total} jobs failed"
    return total


def disorder(bench: Bench, rng: random.Random, pools: int = 1) -> None:
    """Failures, restarts, jobs for all engines, counters, malformed packets and, with several pools, packets
    of unknown pools in one stream. Every packet is accounted for. Afterwards no engine fails any more.
    """
    for engine in range(bench.engines):
        if rng.random() < 0.4:
            how = rng.choice(list(Break))
            bench.breaks(engine, how, rng.randrange(12), permanent=rng.random() < 0.3)
    packets = list(jobs(rng, 60, bad=0.15, pools=pools + 1 if pools > 1 else 1))
    for op, operands in ((Op.SELF_TEST, 0), (Op.ZEROISE, 0), (Op.KEY_LOAD, 1)):
        for _ in range(rng.randrange(3)):
            pool = rng.randrange(pools)
            packets.insert(rng.randrange(60), request(op, operands, rng.randrange(40), pool=pool))
    mixed, owns = [*packets], rng.randrange(4)
    for _ in range(owns):
        mixed.insert(rng.randrange(60), own(rng.choice(list(ClusterOp)), rng.randrange(bench.engines)))
    answers = bench.run(mixed)
    mine = [a for a in answers if a.tag == OWN_TAG]
    assert len(mine) == owns and all(len(a.words) == 5 for a in mine)
    account(packets, [a for a in answers if a.tag != OWN_TAG], faults=len(packets), pools=pools)
    for engine in range(bench.engines):
        bench.breaks(engine, Break.NONE)
