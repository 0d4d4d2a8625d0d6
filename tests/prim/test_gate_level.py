"""The mapped primitives do what their portable bodies do, on every family that can be placed. Mutants are
noticed.
"""

import importlib.util
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
_spec = importlib.util.spec_from_file_location("prim_gate_bench", HERE / "gate_bench.py")
assert _spec and _spec.loader
gate_bench = sys.modules.setdefault("prim_gate_bench", importlib.util.module_from_spec(_spec))
_spec.loader.exec_module(gate_bench)
Case = gate_bench.Case


def mul(a: int, b: int, pipe: int, out: int, mutate: tuple[str, str] | None = None) -> object:
    return Case("eccel_mul18", {"WidthA": a, "WidthB": b, "Pipe": pipe, "OutReg": out}, mutate)


def ram(width: int, depth: int, mutate: tuple[str, str] | None = None) -> object:
    return Case("eccel_ram", {"Width": width, "Depth": depth}, mutate)


def rom(width: int, depth: int, mutate: tuple[str, str] | None = None) -> object:
    return Case("eccel_rom", {"Width": width, "Depth": depth, "InitFile": f"rom{width}.hex"}, mutate)


def add(width: int, mutate: tuple[str, str] | None = None) -> object:
    return Case("eccel_add", {"Width": width}, mutate)


def add_mux(width: int, mutate: tuple[str, str] | None = None) -> object:
    return Case("eccel_add_mux", {"Width": width}, mutate)


def ram_1p(width: int, depth: int, mutate: tuple[str, str] | None = None) -> object:
    return Case("eccel_ram_1p", {"Width": width, "Depth": depth}, mutate)


def add_invert(width: int, invert: int, mutate: tuple[str, str] | None = None) -> object:
    return Case("eccel_add_invert", {"Width": width, "Invert": invert}, mutate)


def ff_copy(mutate: tuple[str, str] | None = None) -> object:
    return Case("eccel_ff_copy", {}, mutate)


def mul_signed(a: int, b: int, signed: int, registers: int, mutate: tuple[str, str] | None = None) -> object:
    params = {"WidthA": a, "WidthB": b, "Signed": signed, "Registers": registers}
    return Case("eccel_mul18_signed", params, mutate)


ECP5 = [
    *(mul(18, 18, p, o) for p, o in ((0, 1), (1, 1))),
    mul(16, 11, 0, 1),
    *(ram(w, d) for w, d in ((36, 512), (70, 64), (5, 4096))),
    rom(24, 2048),
    ram_1p(32, 512),
    *(add(w) for w in (1, 33)),
    add(16, ("16'h696a", "16'h966a")),
    add_mux(33),
    add_mux(16, ("16'h665a", "16'h5a66")),
    *(add_invert(w, i) for w, i in ((1, 1), (33, 0x1FFFF))),
    add_invert(16, 0xF00F, ("16'h696a", "16'h966a")),
    *(mul_signed(a, b, s, r) for a, b, s, r in ((18, 18, 1, 1), (17, 17, 0, 0), (16, 9, 1, 1))),
    ff_copy(),
    ff_copy((".DI(d_i)", ".DI(~d_i)")),
    mul_signed(18, 18, 1, 1, (".SIGNEDA(1'h1)", ".SIGNEDA(1'h0)")),
    mul(18, 18, 0, 1, ('.REG_OUTPUT_CLK("CLK0")', '.REG_OUTPUT_CLK("NONE")')),
    ram(36, 512, ('.REGMODE("OUTREG")', '.REGMODE("NOREG")')),
    ram(36, 512, (".RST(clr_i)", ".RST(1'b0)")),
    rom(24, 2048, ('("OUTREG")', '("NOREG")')),
]
NEXUS = [
    *(mul(18, 18, p, o) for p, o in ((0, 1), (1, 1))),
    ram(36, 512),
    rom(24, 2048),
    add(32),
    add_mux(32),
    add_invert(33, 0xFF00FF),
    *(mul_signed(a, b, s, r) for a, b, s, r in ((18, 18, 1, 1), (17, 17, 0, 0))),
    mul(18, 18, 0, 1, ('.REGOUTPUT("REGISTER")', '.REGOUTPUT("BYPASS")')),
]
ICE40 = [
    *(mul(16, 16, p, o) for p, o in ((0, 1), (1, 1))),
    ram(32, 512),
    rom(24, 2048),
    ram_1p(9, 100),
    add(16),
    add_mux(16),
    mul(16, 16, 0, 1, (".PIPELINE_16x16_MULT_REG2(1'h1)", ".PIPELINE_16x16_MULT_REG2(1'h0)")),
    ram_1p(32, 512, (".MASKWREN(4'hf)", ".MASKWREN(4'h7)")),
]
# Other sizes and settings: mapping takes seconds for each.
ECP5_MORE = [
    *(mul(18, 18, p, o) for p, o in ((0, 0), (1, 0))),
    *(ram(w, d) for w, d in ((32, 300), (18, 1024), (24, 2048), (9, 16))),
    Case("eccel_ram", {"Width": 24, "Depth": 2048, "InitFile": "rom24.hex"}),
    rom(36, 512),
    rom(16, 3000),
    *(add(w) for w in (16, 112)),
    *(add_mux(w) for w in (1, 16, 64)),
    *(add_invert(w, i) for w, i in ((1, 0), (16, 0x0FF0), (36, 0))),
    *(
        mul_signed(a, b, s, r)
        for a, b, s, r in ((18, 18, 1, 0), (17, 17, 0, 1), (16, 9, 1, 0), (18, 5, 0, 0), (18, 5, 0, 1))
    ),
]
NEXUS_MORE = [
    *(mul(18, 18, p, o) for p, o in ((0, 0), (1, 0))),
    mul(16, 16, 0, 1),
    ram(24, 2048),
    rom(36, 512),
    rom(16, 3000),
    *(mul_signed(a, b, s, r) for a, b, s, r in ((18, 18, 1, 0), (17, 17, 0, 1))),
]
ICE40_MORE = [
    *(mul(16, 16, p, o) for p, o in ((0, 0), (1, 0))),
    mul(16, 9, 0, 1),
    ram(24, 2048),
    ram_1p(32, 512),
]


@pytest.mark.parametrize(
    ("device", "cases", "models"),
    [
        ("ecp5-25f-6", ECP5, ["ecp5.v"]),
        pytest.param("lifcl-40", NEXUS, ["nexus.v"], marks=pytest.mark.soak),
        pytest.param("up5k", ICE40, [], marks=pytest.mark.soak),
        pytest.param("ecp5-25f-6", ECP5_MORE, ["ecp5.v"], marks=pytest.mark.soak),
        pytest.param("lifcl-40", NEXUS_MORE, ["nexus.v"], marks=pytest.mark.soak),
        pytest.param("up5k", ICE40_MORE, [], marks=pytest.mark.soak),
    ],
    ids=["ecp5", "nexus", "ice40", "ecp5-more", "nexus-more", "ice40-more"],
)
def test_mapped_primitives_equal_portable_bodies(
    device: str, cases: list, models: list[str], tmp_path: Path
) -> None:
    results = gate_bench.run(device, cases, [HERE / "models" / m for m in models], tmp_path)
    assert len(results) == len(cases)
    for case, (compared, different) in zip(cases, results, strict=True):
        # A memory that reads and writes in turns writes in half of the cycles; every second cycle clears the
        # output of a RAM.
        least = {"eccel_ram_1p": gate_bench.CYCLES // 3, "eccel_ram": gate_bench.CYCLES * 2 // 3}
        assert compared >= least.get(case.module, gate_bench.CYCLES - 16)
        if case.mutate:
            assert different > compared // 4, f"mutant not noticed: {case}"
        else:
            assert different == 0, f"{different} of {compared} differ: {case}"
