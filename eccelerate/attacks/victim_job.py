"""The jobs that are attacked: how the engine is prepared, the request, and what a right answer is."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from eccelerate.configs.kind import Config, ConfigError
from eccelerate.curves import Curve
from eccelerate.driver import Engine
from eccelerate.driver.engine import JobResult
from eccelerate.model import ecdsa, point
from eccelerate.model.jobs import Flag, Op, Status

Check = Callable[[JobResult], bool]
"""Whether an answer with status OK or INFINITY is right."""


@dataclass(frozen=True)
class Request:
    """One request, and how its answer is judged."""

    op: Op
    operands: tuple[int, ...]
    flags: int
    right: Check


@dataclass(frozen=True)
class VictimJob:
    """A kind of request.

    name: in commands. flags: those of the request, as far as the engine takes them.
    prepare: what comes before the request, once, such as loading a key; it returns what the requests need.
    request: a request with operands drawn from the generator.
    """

    name: str
    about: str
    flags: Flag
    prepare: Callable[[Engine, Curve, random.Random, Flag], int]
    request: Callable[[Curve, int, random.Random, Flag], Request]


def _no_key(engine: Engine, curve: Curve, generator: random.Random, flags: Flag) -> int:
    return 0


def _key(engine: Engine, curve: Curve, generator: random.Random, flags: Flag) -> int:
    secret = generator.randrange(1, curve.n)
    engine.submit(Op.KEY_LOAD, (secret,), flags & Flag.BLIND).check()
    return secret


def _sign(curve: Curve, secret: int, generator: random.Random, flags: Flag) -> Request:
    digest = generator.randrange(1 << curve.order_bits)
    public = point.base_mul(curve, secret)
    assert public is not None  # the secret is between 0 and the order

    def right(answer: JobResult) -> bool:
        return len(answer.values) == 2 and ecdsa.verify(
            curve, digest, answer.values[0], answer.values[1], public
        )

    return Request(Op.ECDSA_SIGN, (digest,), flags, right)


def _multiply(op: Op, curve: Curve, generator: random.Random, flags: Flag) -> Request:
    scalar = generator.randrange(1, curve.n)
    base = (curve.gx, curve.gy)
    if op != Op.BASE_MUL:
        found = point.base_mul(curve, generator.randrange(1, curve.n))
        assert found is not None  # a multiple of G by less than its order
        base = found
    wanted = point.mul(curve, scalar, base)
    operands = {Op.BASE_MUL: (scalar,), Op.MUL: (scalar, *base), Op.ECDH: (*base, scalar)}[op]

    def right(answer: JobResult) -> bool:
        if wanted is None:
            return answer.status == Status.INFINITY
        return answer.ok and answer.values == wanted[: len(answer.values)] and len(answer.values) > 0

    return Request(op, operands, flags, right)


def _multiplier(op: Op) -> Callable[[Curve, int, random.Random, Flag], Request]:
    return lambda curve, secret, generator, flags: _multiply(op, curve, generator, flags)


JOBS = {
    job.name: job
    for job in (
        VictimJob(
            "sign",
            "ECDSA_SIGN with the key of the slot and a nonce of the engine",
            Flag.KEY | Flag.RANDOM | Flag.BLIND,
            _key,
            _sign,
        ),
        VictimJob(
            "sign-check",
            "the same with the flag CHECK",
            Flag.KEY | Flag.RANDOM | Flag.BLIND | Flag.CHECK,
            _key,
            _sign,
        ),
        VictimJob("mul", "MUL, blinded", Flag.BLIND, _no_key, _multiplier(Op.MUL)),
        VictimJob(
            "mul-check", "MUL, blinded, with CHECK", Flag.BLIND | Flag.CHECK, _no_key, _multiplier(Op.MUL)
        ),
        VictimJob("base-mul", "BASE_MUL, blinded", Flag.BLIND, _no_key, _multiplier(Op.BASE_MUL)),
        VictimJob("ecdh", "ECDH, blinded", Flag.BLIND, _no_key, _multiplier(Op.ECDH)),
    )
}
"""The jobs by name."""


def find_job(name: str) -> VictimJob:
    """The job called `name`. Raises ConfigError with the known names."""
    if name not in JOBS:
        raise ConfigError(f"no job {name!r}; there are: {', '.join(JOBS)}")
    return JOBS[name]


def flags_of(job: VictimJob, config: Config) -> Flag:
    """The flags of a job on an engine: the program for any prime of 256 bits has neither BLIND nor CHECK."""
    return job.flags & ~(Flag.BLIND | Flag.CHECK) if config.program == "turbo_generic" else job.flags
