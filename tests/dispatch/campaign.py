"""A campaign on a cluster of real engines: every packet is accounted for, every result is checked twice."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from cryptography.hazmat.primitives.asymmetric import ec

from eccelerate.curves import find_curve
from eccelerate.driver.cluster import ClusterOp
from eccelerate.driver.packet import Request, Response, decode_response
from eccelerate.model import point
from eccelerate.model.golden_engine import GoldenEngine
from eccelerate.model.jobs import Flag, Op, Status, curve_load_operands
from eccelerate.rtlsim.golden_transport import GoldenTransport
from eccelerate.rtlsim.rtl import Plan, RtlTransport
from eccelerate.rtlsim.verilate import ModelSource
from tests.dispatch.clusters import cluster_files, turbo_cluster

CURVE_ID = 9
OPENSSL = {"P-192": ec.SECP192R1(), "P-256": ec.SECP256R1()}


@dataclass
class Tally:
    """The outcomes of the jobs."""

    jobs: int = 0
    failed: int = 0
    by_openssl: int = 0


class Campaign:
    """`engines` turbo engines for a curve. The golden model answers the same packets one by one."""

    def __init__(self, curve: str, prime: int, engines: int, threads: int, seed: int = 1) -> None:
        self.config, self.threads = turbo_cluster(prime, engines, threads), threads
        self.curve, self.group = find_curve(curve), OPENSSL[curve]
        self.rng = random.Random(f"{curve} {engines} {threads} {seed}")
        source = replace(ModelSource.of(self.config), files=cluster_files(self.config))
        self.rtl = RtlTransport(source, seed=seed)
        self.golden = GoldenTransport(GoldenEngine(max_words=self.curve.element_words, digit_bits=0))
        self.points = [self._point() for _ in range(20)]
        self.tally = Tally()

    def _point(self) -> tuple[int, int]:
        p = point.base_mul(self.curve, self.rng.randrange(1, self.curve.n))
        assert p is not None
        return p

    def _words(self, op: int, tag: int, operands: tuple[int, ...] = (), flags: int = 0) -> list[int]:
        return Request(op, CURVE_ID, tag, flags, self.curve.element_words, operands).words()

    def _scalar(self) -> int:
        n, rng = self.curve.n, self.rng
        return rng.choice(
            (rng.randrange(1, n), rng.randrange(1, n), rng.randrange(40), n - rng.randrange(40))
        )

    def _job(self, tag: int) -> list[int]:
        rng, (x, y) = self.rng, self.rng.choice(self.points)
        op, operands, flags = rng.choice(
            (
                (Op.MUL, (self._scalar(), x, y), 0),
                (Op.BASE_MUL, (self._scalar(),), 0),
                (Op.ECDH, (x, y, self._scalar()), 0),
                (Op.ECDH, (x, y), int(Flag.KEY)),
                (Op.ON_CURVE, (x, y), 0),
                (Op.ON_CURVE, (x, y ^ rng.randrange(2)), 0),
                (Op.MUL, (self._scalar(), x, y ^ rng.randrange(2)), 0),
                (Op.MUL, (self._scalar(), 0, 0), 0),
            )
        )
        words = self._words(op, tag, operands, flags)
        if rng.random() < 0.06:
            words = rng.choice(
                (
                    words[:1],
                    words[: rng.randrange(2, len(words))],
                    [*words, *(rng.getrandbits(32) for _ in range(rng.randrange(1, 200)))],
                    [words[0] & ~0xFF | 0x2F, *words[1:]],
                    [words[0] ^ 0x100, *words[1:]],
                    [words[0], words[1] | 0x400000, *words[2:]],
                )
            )
        return words

    def _packets(self, count: int, restarts: int) -> Iterator[list[int]]:
        """Curve and key, then jobs. In between there are new keys, reads of counters, and restarts of single
        engines.
        """
        yield self._words(Op.CURVE_LOAD, 0, curve_load_operands(self.curve))
        yield self._words(Op.KEY_LOAD, 1, (self.rng.randrange(1, self.curve.n),))
        own = {
            self.rng.randrange(count // 2, count): e
            for e in self.rng.sample(range(self.config.engines), restarts)
        }
        for tag in range(2, count):
            if tag in own:
                yield Request(ClusterOp.RESTART, own[tag], tag, 0, self.curve.element_words).words()
            elif self.rng.random() < 0.01:
                yield Request(ClusterOp.COUNTERS, 0, tag, 0, self.curve.element_words).words()
            elif self.rng.random() < 0.02:
                yield self._words(Op.KEY_LOAD, tag, (self.rng.randrange(1, self.curve.n),))
            else:
                yield self._job(tag)

    def run(self, count: int, restarts: int = 0) -> None:
        """Stream `count` packets under random back-pressure. `restarts` engines are reset in the meantime."""
        rng = self.rng
        packets = list(self._packets(count, restarts))
        stall = rng.choice((0, rng.getrandbits(32), rng.getrandbits(31) & rng.getrandbits(31)))
        self.rtl.plan = Plan(
            60_000 * count + 1_000_000, req_stall=stall, rsp_stall=rng.choice((0, rng.getrandbits(31)))
        )
        width, failed, seen = self.curve.element_words, 0, set()
        for reply in self.rtl.stream(packets):
            tag = reply.words[0] >> 16
            words = packets[tag]
            assert tag not in seen, f"two answers to {tag}"
            seen.add(tag)
            own = words[0] & 0xFF in list(ClusterOp)
            response = decode_response(reply.words, 1 if own else width)
            assert response.op == words[0] & 0xFF
            if own:
                assert response.status == Status.OK and len(response.results) == 5
            elif response.status == Status.ENGINE_FAULT:
                failed += 1
            else:
                self._expect(words, response, tag)
        assert seen == set(range(count)), "packets without an answer"
        # The jobs of engines that were reset fail, and so do jobs that come while no engine is in service.
        assert restarts == self.config.engines or failed <= restarts * self.threads
        self.tally.jobs += count
        self.tally.failed += failed

    def _expect(self, words: list[int], response: Response, tag: int) -> None:
        key = self.golden.engine.key
        want = decode_response(self.golden.exchange(words).words, self.curve.element_words)
        assert (response.status, response.results) == (want.status, want.results), (hex(words[0]), tag)
        if response.status == Status.OK and response.op in (Op.BASE_MUL, Op.ECDH):
            self._check_with_openssl(words, response, key)

    def _check_with_openssl(self, words: list[int], response: Response, key: int | None) -> None:
        width = self.curve.element_words
        values = [
            sum(w << 32 * i for i, w in enumerate(words[at : at + width]))
            for at in range(2, len(words), width)
        ]
        if response.op == Op.BASE_MUL:
            if not 0 < values[0] < self.curve.n:
                return
            public = ec.derive_private_key(values[0], self.group).public_key().public_numbers()
            assert response.results == (public.x, public.y)
        else:
            d = key if words[1] >> 16 & Flag.KEY else values[2]
            assert d is not None
            peer = ec.EllipticCurvePublicNumbers(values[0], values[1], self.group).public_key()
            secret = ec.derive_private_key(d, self.group).exchange(ec.ECDH(), peer)
            assert response.results == (int.from_bytes(secret, "big"),)
        self.tally.by_openssl += 1
