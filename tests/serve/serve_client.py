"""A client process of a server: does jobs of all kinds, checks each result, and prints how many were right.

    python -m tests.serve.serve_client URI CURVE SEED JOBS

Exit code 1 if a result is wrong; 3 if the server has gone away.
"""

from __future__ import annotations

import random
import sys

from eccelerate.curves import find_curve
from eccelerate.driver import Engine, TransportError
from eccelerate.driver.server_link import ServerLink
from eccelerate.model import ecdsa, point
from eccelerate.model.jobs import Flag, Op, Status


def right(engine: Engine, rng: random.Random) -> bool:
    """Does one job and tells whether its result is right."""
    curve = engine.curve
    assert curve is not None
    d, e = rng.randrange(1, curve.n), rng.randrange(curve.n)
    public = point.base_mul(curve, d)
    assert public is not None
    match rng.randrange(4):
        case 0:
            return engine.submit(Op.BASE_MUL, (d,)).values == public
        case 1:
            shared = point.mul(curve, d, public)
            return shared is not None and engine.submit(Op.ECDH, (*public, d)).values == shared[:1]
        case 2:
            r, s = engine.submit(Op.ECDSA_SIGN, (e, d), Flag.RANDOM).check().values
            return ecdsa.verify(curve, e, r, s, public)
        case _:
            signature = ecdsa.sign(curve, d, e, rng.randrange(1, curve.n))
            assert signature is not None
            good = engine.submit(Op.ECDSA_VERIFY, (e, *signature, *public)).status
            bad = engine.submit(Op.ECDSA_VERIFY, (e ^ 1, *signature, *public)).status
            return (good, bad) == (Status.OK, Status.BAD_SIGNATURE)


def main(uri: str, curve: str, seed: str, jobs: str) -> int:
    """See the text of the module."""
    found, rng, done = find_curve(curve), random.Random(int(seed)), 0
    try:
        engine = Engine(ServerLink(uri), binary=found.kind == "binary")
        engine.load_curve(found)
        for _ in range(int(jobs)):
            if not right(engine, rng):
                return 1
            done += 1
            print(done, flush=True)
    except TransportError:
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
