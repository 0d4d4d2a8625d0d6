"""The mapped netlists of the yardsticks compute the same: Yosys maps them to Virtex-E, the family of the
paper, and its own models of the cells run in the bench.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pyosys
import pytest

from eccelerate.configs.yardstick_config import Yardstick, find_yardstick
from eccelerate.flow.multiplier_store import VIRTEX_E, map_unit, unit_device
from eccelerate.rtlsim import yardstick_bench
from tests.compare import test_aes, test_rsa, test_sha512

CELLS = (Path(pyosys.__file__).parent / "share" / "xilinx" / "cells_sim.v",)
SMALL = test_rsa.unit("rsa-1024-r2l", 8, 4)
POWERS = test_rsa.random_powers(8, 30)


def netlist(unit: Yardstick) -> Path:
    return map_unit(unit, unit_device(VIRTEX_E)).verilog


def wrong_powers(file: Path) -> int:
    """How many powers of POWERS the netlist computes wrong."""
    vectors = [test_rsa.operands(SMALL, power) for power in POWERS]
    done = yardstick_bench.run(SMALL, vectors, netlist=file, cells=CELLS)
    assert set(done.cycles) == {test_rsa.cycles(SMALL)}
    return sum(result["power_o"] != pow(*power) for power, result in zip(POWERS, done.results, strict=True))


def test_a_small_netlist_gives_powers_and_a_changed_one_does_not(tmp_path: Path) -> None:
    right = netlist(SMALL)
    assert wrong_powers(right) == 0
    # An exclusive or of three becomes its complement: one bit of an adder is wrong.
    text, count = re.subn(r"8'h6a", "8'h95", right.read_text(), count=1)
    assert count == 1
    changed = tmp_path / right.name
    changed.write_text(text)
    assert wrong_powers(changed) > 0


@pytest.mark.soak
def test_the_netlist_of_aes_codes_the_example() -> None:
    blocks = test_aes.example_blocks()
    vectors = []
    for block in blocks:
        vectors.append({"load_i": 1, "decrypt_i": 0, "data_i": int.from_bytes(block.key, "big")})
        given = int.from_bytes(block.given, "big")
        vectors.append({"load_i": 0, "decrypt_i": int(block.decrypt), "data_i": given})
    done = yardstick_bench.run(test_aes.AES, vectors, netlist=netlist(test_aes.AES), cells=CELLS)
    results = [result["data_o"].to_bytes(16, "big") for result in done.results[1::2]]
    assert results == [block.expected for block in blocks]


@pytest.mark.soak
@pytest.mark.parametrize("name", ["sha-512", "sha-512-x4"])
def test_the_netlist_of_sha512_hashes(name: str) -> None:
    unit = find_yardstick(name)
    messages = [bytes([n]) * n for n in range(0, 112, 11)]
    initial = int.from_bytes(test_sha512.INITIAL, "big")
    blocks = [int.from_bytes(test_sha512.padded(message)[0], "big") for message in messages]
    vectors = [{"block_i": block, "chain_i": initial} for block in blocks]
    done = yardstick_bench.run(unit, vectors, netlist=netlist(unit), cells=CELLS)
    digests = [result["chain_o"].to_bytes(64, "big") for result in done.results]
    assert digests == [hashlib.sha512(message).digest() for message in messages]
