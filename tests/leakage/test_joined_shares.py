"""No register goes from one share of the key to the other.

The power of a register depends on the bits that change. If a word of d1 follows the same word of d2, it tells
something about d1 + d2 = d, although each of them is random. A t-test needs thousands of traces to find one
such change. Here the key is known, and the change is looked for: in each clock, 16 bits that add up with the
value before them to 16 bits of d, or of d + n, or to one less because of a carry. Chance finds some in every
trace, but hardly twice at the same place and clock, since every trace has another key.
"""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from eccelerate.configs.config import find_config
from eccelerate.curves import find_curve
from eccelerate.driver import Engine
from eccelerate.model.jobs import Flag, Op
from eccelerate.rtlsim.rtl import Entropy, RtlTransport
from eccelerate.rtlsim.state_layout import Place, locate
from tests.leakage.residue import image
from tests.sampled import sampled

TRACES = 4
ENOUGH = 3
"""Traces with the same change. It is missing in some: a carry into d + n may count as none."""
# The compact engine adds the shares before ECDH, and blinds the sum: docs/security.md, "Keys".
CASES = [
    ("compact-w32", "P-192", "sign"),
    ("binary-163-d64", "B-163", "sign"),
    ("binary-163-d64", "B-163", "ecdh"),
    ("turbo-p256", "P-256", "sign"),
    ("turbo-p256", "P-256", "ecdh"),
]


def joined(name: str, curve_name: str, job: str, program: Path | None = None) -> list[str]:
    """Registers that go from one share of the key to the other during a job, with the clock."""
    config, curve = find_config(name), find_curve(curve_name)
    generator = random.Random(f"{name} {curve_name} {job}")
    found: Counter[tuple[int, int]] = Counter()
    with RtlTransport(config, events=True, program=program) as rtl:
        engine = Engine(rtl, binary=curve.kind == "binary")
        engine.load_curve(curve)
        for index in range(TRACES):
            key = generator.randrange(1, curve.n)
            rtl.entropy(Entropy.SEED, 1 + index)
            engine.submit(Op.KEY_LOAD, (key,), Flag.BLIND).check()
            began = rtl.clocks
            rtl.count_activity(True)
            rtl.watch_sums(
                (value >> at) - carry & 0xFFFF
                for value in (key, key + curve.n)
                for at in range(0, curve.order_bits - 15, 16)
                for carry in (0, 1)
            )
            if job == "sign":
                digest = generator.getrandbits(curve.order_bits)
                engine.submit(Op.ECDSA_SIGN, (digest,), Flag.KEY | Flag.RANDOM | Flag.BLIND).check()
            else:
                engine.submit(Op.ECDH, (curve.gx, curve.gy), Flag.KEY | Flag.BLIND).check()
            rtl.count_activity(False)
            found.update({(clock - began, bit) for clock, bit in rtl.take_sums()})
        state = rtl.state
    repeated = sorted(change for change, times in found.items() if times >= ENOUGH)
    return [f"clock {clock}: {locate(state, Place.STATE, bit).text}" for clock, bit in repeated]


@sampled(("name", "curve", "job"), CASES, now=3)
def test_no_register_goes_from_one_share_of_the_key_to_the_other(name: str, curve: str, job: str) -> None:
    assert joined(name, curve, job) == []


@pytest.mark.parametrize(
    ("name", "curve", "file", "right", "wrong"),
    [
        *(
            (name, curve, "shared/key_shares.s", "add  t, share, t\n    isub", "add  t, t, share\n    isub")
            for name, curve in (("compact-w32", "P-192"), ("binary-163-d64", "B-163"))
        ),
        pytest.param(
            "turbo-p256",
            "P-256",
            "turbo/shares.s",
            "    add_n base, base, k\n    st   KEY, px\n    st   K1, px\n",
            "    st   KEY, px\n    st   K1, px\n    add_n base, base, k\n",
            marks=pytest.mark.soak,
        ),
    ],
)
def test_shares_that_follow_each_other_are_found(
    name: str, curve: str, file: str, right: str, wrong: str, tmp_path: Path
) -> None:
    """With another order of operands, or no instruction between the shares."""
    config = find_config(name)
    assert joined(name, curve, "sign", image(tmp_path, config.program, [(file, right, wrong)]))
