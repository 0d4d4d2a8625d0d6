"""What the test bench of a bundle (sim/bundle_bench.cpp) sends to an engine, and what it expects."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from eccelerate.configs.config import Config
from eccelerate.configs.images import load_program
from eccelerate.curves import find_curve
from eccelerate.driver import Reply, Transport
from eccelerate.driver.operands import result_names
from eccelerate.model.ecdsa import rfc6979_nonces, truncate_hash
from eccelerate.model.jobs import Flag, Op
from eccelerate.rtlsim.backend import open_engine

MESSAGE = b"sample"


@dataclass(frozen=True)
class BenchJob:
    """A job packet and its expected response. An element has ``words`` words; ``results`` names the result
    values.
    """

    name: str
    request: tuple[int, ...]
    response: tuple[int, ...]
    words: int
    results: tuple[str, ...]


class _Recorder:
    """Forwards packets, and records each one with its response."""

    def __init__(self, inner: Transport) -> None:
        self.inner, self.jobs = inner, list[BenchJob]()

    def exchange(self, words: list[int]) -> Reply:
        reply = self.inner.exchange(words)
        op = Op(words[0] & 0xFF)
        job = BenchJob(op.name, tuple(words), tuple(reply.words), words[1] >> 24, result_names(op))
        self.jobs.append(job)
        return reply


def bench_jobs(config: Config) -> list[BenchJob]:
    """The jobs of the bench: load the curve and a key, sign with a fixed nonce, and verify. An engine without
    signatures computes a scalar multiplication instead. The key and the nonce are public: they are for the
    bench only.
    """
    engine = open_engine(config, "golden")
    recorder = _Recorder(engine.transport)
    engine.transport = recorder
    curve = find_curve(config.curve_name)
    members = zip((member for member, _ in config.pools), engine.pools, strict=True)
    member = next(member for member, pool in members if not pool.lacks(curve))
    digest = hashlib.sha256(MESSAGE).digest()
    d = int.from_bytes(hashlib.sha512(MESSAGE).digest(), "big") % (curve.n - 1) + 1
    engine.load_curve(curve)
    if Op.ECDSA_SIGN in load_program(member).jobs:
        e, k = truncate_hash(digest, curve.n), next(rfc6979_nonces(curve.n, d, digest, "sha256"))
        engine.key_load(d, host_nonce=True)
        r, s = engine.submit(Op.ECDSA_SIGN, (e, k), Flag.KEY).check().values
        public = engine.base_mul(d).point
        engine.ecdsa_verify(e, r, s, public).check()
    else:
        engine.mul(d, curve.generator)
    return recorder.jobs


def jobs_header(top: str, jobs: Sequence[BenchJob], *, bus: bool) -> str:
    """The file jobs.h. ``bus`` is true for a top with the AXI4-Lite shell, and false for one with packet
    ports.
    """

    def words(values: Sequence[int]) -> str:
        return "{" + ", ".join(f"0x{value:08x}u" for value in values) + "}"

    entries = "".join(
        f'    {{"{job.name}",\n     {words(job.request)},\n     {words(job.response)},\n     {job.words},\n'
        f"     {{{', '.join(f'{chr(34)}{name}{chr(34)}' for name in job.results)}}}}},\n"
        for job in jobs
    )
    return (
        "// Jobs of the test bench and their expected responses. The key and the nonce are public.\n"
        f'#pragma once\n#include <cstdint>\n#include <vector>\n#include "V{top}.h"\n'
        f"{'#define ECCEL_BUS' + chr(10) if bus else ''}using Top = V{top};\n\n"
        "struct Job {\n    const char *name;\n    std::vector<uint32_t> request, response;\n"
        "    size_t words;\n    std::vector<const char *> results;\n};\n\n"
        f"static const std::vector<Job> kJobs = {{\n{entries}}};\n"
    )
