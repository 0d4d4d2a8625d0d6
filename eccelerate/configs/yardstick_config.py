"""A yardstick of rtl/compare: a core that a paper measures beside elliptic curves, such as AES or RSA.

The table YARDSTICKS has those of Marnane's talk "(Comparing) Hardware Complexity of Cryptographic
Algorithms". Other widths, for tests, are made with `dataclasses.replace(unit, params=...)`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from eccelerate.configs.kind import ConfigError
from eccelerate.configs.rtl_reach import reached_files

Ports = tuple[tuple[str, int | str], ...]
"""Ports with their bits, in their order. Bits are a number, or a text as `width_of` reads it."""
CONTROL_INPUTS = ("rst_i", "valid_i")
CONTROL_OUTPUTS = ("ready_o", "valid_o")
_WIDTH = re.compile(r"(?:(\d+)\s*\*\s*)?([A-Za-z_]\w*)(?:\s*([+-])\s*(\d+))?")


def width_of(bits: int | str, params: Mapping[str, int]) -> int:
    """The bits of a port. A text is the name of a parameter, with a factor before it and a number after it
    if needed, such as "Bits", "4*Bits" or "2*Bits+1". Raises ConfigError.
    """
    if isinstance(bits, int):
        return bits
    found = _WIDTH.fullmatch(bits)
    if found is None or found[2] not in params:
        known = ", ".join(params) or "none"
        raise ConfigError(
            f"no width {bits!r}: it is like Bits or 2*Bits+1, with a parameter (there are: {known})"
        )
    return int(found[1] or 1) * params[found[2]] + int((found[3] or "+") + (found[4] or "0"))


@dataclass(frozen=True)
class Yardstick:
    """One core with the interface of rtl/compare/README.md: clk_i, rst_i, valid_i, ready_o and valid_o, with
    operands that are taken if valid_i and ready_o are 1, and results that are there with valid_o.

    name: in tables, records and commands.
    title: one line for a reader.
    top: the module.
    bits: what one operation processes, for the throughput as the paper counts it; as the bits of a port.
    operation: what is done once, such as "a block".
    operands, results: the other ports.
    params: the parameters of `top`.
    published: key of the paper's row; "" if it has none.
    static_placer: whether the electrostatic placer is taken, as for networks of XORs: after the other one the
        router of ECP5 needs hours, or does not end.
    """

    name: str
    title: str
    top: str
    bits: int | str
    operation: str
    operands: Ports
    results: Ports
    params: Mapping[str, int] = field(default_factory=dict, hash=False)
    published: str = ""
    static_placer: bool = False

    @property
    def operand_bits(self) -> dict[str, int]:
        """The operand ports with their widths. Raises ConfigError."""
        return {name: width_of(bits, self.params) for name, bits in self.operands}

    @property
    def result_bits(self) -> dict[str, int]:
        """The result ports with their widths. Raises ConfigError."""
        return {name: width_of(bits, self.params) for name, bits in self.results}

    @property
    def processed_bits(self) -> int:
        """`bits` as a number. Raises ConfigError."""
        return width_of(self.bits, self.params)

    @property
    def ports(self) -> dict[str, tuple[str, int]]:
        """Direction and bits of each port of the module `top`."""
        return {
            **dict.fromkeys(("clk_i", *CONTROL_INPUTS), ("input", 1)),
            **dict.fromkeys(CONTROL_OUTPUTS, ("output", 1)),
            **{name: ("input", bits) for name, bits in self.operand_bits.items()},
            **{name: ("output", bits) for name, bits in self.result_bits.items()},
        }

    @cached_property
    def files(self) -> list[Path]:
        """The SystemVerilog files of the unit, with portable primitives, in the order of compilation."""
        return reached_files(self.top)


_AES = Yardstick(
    name="aes-128",
    title="AES-128, encryption and decryption, one round in a cycle",
    top="eccel_aes",
    bits=128,
    operation="a block",
    operands=(("load_i", 1), ("decrypt_i", 1), ("data_i", 128)),
    results=(("data_o", 128),),
    params={"Form": 0},
    published="AES",
)
_SHA512 = Yardstick(
    name="sha-512",
    title="SHA-512, one round in a cycle",
    top="eccel_sha512",
    bits=1024,
    operation="a block",
    operands=(("block_i", 1024), ("chain_i", 512)),
    results=(("chain_o", 512),),
    params={"Unroll": 1},
    published="SHA-512",
)
_RSA = Yardstick(
    name="rsa-1024-r2l",
    title="RSA-1024, right to left, two Montgomery multipliers",
    top="eccel_rsa_r2l",
    bits="Bits",
    operation="a power",
    operands=(("base_i", "Bits"), ("exponent_i", "Bits"), ("modulus_i", "Bits"), ("r2_i", "Bits")),
    results=(("power_o", "Bits"),),
    params={"Bits": 1024, "Segment": 65, "Unroll": 1},
    published="RSA-1024",
)
_ECC_OPERANDS: Ports = (("p_i", "Bits"), ("x_i", "Bits"), ("y_i", "Bits"), ("infinity_i", 1), ("k_i", "Bits"))
_AFFINE = Yardstick(
    name="ecc-256-affine",
    title="k P on any curve, affine: multiplier of a bit in a cycle, divider by Euclid's algorithm",
    top="eccel_ecc_affine",
    bits="Bits",
    operation="a multiplication of a point",
    operands=_ECC_OPERANDS,
    results=(("x_o", "Bits"), ("y_o", "Bits"), ("infinity_o", 1)),
    params={"Bits": 256, "A": -3},
    published="ECC-256A",
)
_TATE = Yardstick(
    name="tate-256",
    title="Tate pairing, embedding degree 4: four multipliers of two bits in a cycle",
    top="eccel_tate_pairing",
    bits="Bits",
    operation="a pairing",
    operands=(
        *((f"{name}_i", "Bits") for name in ("px", "py", "qx0", "qx1", "qy0", "qy1")),
        ("infinity_i", 1),
    ),
    results=tuple((f"e{n}_o", "Bits") for n in range(4)),
    params={"Bits": 256, "Curve": 0},
    published="Tate-256",
    static_placer=True,
)
_ALL: tuple[Yardstick, ...] = (
    _AES,
    _SHA512,
    replace(
        _SHA512,
        name="sha-512-x4",
        title="SHA-512, four rounds in a cycle",
        params={"Unroll": 4},
        published="SHA-512-x4",
        static_placer=True,
    ),
    _RSA,
    replace(
        _RSA,
        name="rsa-1024-l2r",
        title="RSA-1024, left to right, one Montgomery multiplier",
        top="eccel_rsa_l2r",
        published="",
    ),
    _AFFINE,
    replace(
        _AFFINE,
        name="ecc-256-jacobian",
        title="k P on any curve, Jacobian: multiplier of a bit in a cycle, no conversion to affine",
        top="eccel_ecc_jacobian",
        results=(("x_o", "Bits"), ("y_o", "Bits"), ("z_o", "Bits"), ("infinity_o", 1)),
        published="ECC-256J",
    ),
    _TATE,
)
YARDSTICKS: dict[str, Yardstick] = {unit.name: unit for unit in _ALL}
"""Every yardstick by its name."""


def find_yardstick(name: str) -> Yardstick:
    """The yardstick called `name`. Raises ConfigError with the known names."""
    if name not in YARDSTICKS:
        raise ConfigError(f"no yardstick {name!r}; there are: {', '.join(YARDSTICKS) or 'none'}")
    return YARDSTICKS[name]


def montgomery_radix(params: Mapping[str, int]) -> int:
    """R of eccel_montgomery_array with these parameters: the operand r2_i of the RSA cores is R^2 modulo the
    modulus.
    """
    unroll = params["Unroll"]
    iterations = -(-(params["Bits"] + 3) // unroll)
    return 1 << unroll * iterations - 1
