"""A model of eccel_gf2m_wide_core, cycle by cycle, and the types of its commands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eccelerate.curves import gf2m
from tests.module import Struct

PACKAGE = "gf2m/eccel_gf2m_wide_pkg.sv"
A, B, C, WRITE = (Struct(PACKAGE, f"wide_{name}_t") for name in ("a", "b", "c", "write"))
MOST_SQUARES = 8
CONTROL = Struct(
    PACKAGE, "wide_control_t",
    a=A.width, b=B.width, c=C.width, write=WRITE.width, after_count=MOST_SQUARES,
)  # fmt: skip
REGISTERS = ("result", "sum", "after", "xs", "zs", "xd", "zd")


class WideCore:
    """The registers of the core, and the product on its way through it."""

    def __init__(self, f: int) -> None:
        self.f = f
        self.registers = dict.fromkeys(REGISTERS, 0)
        self._products = [0, 0]  # selected in the last cycle, in the one before
        self._zeros = [False, False]
        self._write: dict[str, int] = {}

    def clock(
        self, control: int, a: Sequence[int], b: Sequence[int], c: Sequence[int]
    ) -> tuple[int, int | None]:
        """One cycle with these commands and words of the register file: value_o and zero_o."""
        told, now = CONTROL.unpack(control), self.registers
        product = self._products.pop()
        value = sum_of(now, self._write)
        zero = self._zeros.pop()
        named = now | {"product": product, "square": self._square(1), "one": 1}
        first = sum_of(named | {"lower": a[0], "upper": a[1]}, A.unpack(told["a"]))
        second = sum_of(named | {"lower": b[0], "upper": b[1]}, B.unpack(told["b"]))
        addend = sum_of(named | {"lower": c[0], "upper": c[1]}, C.unpack(told["c"]))
        self._products.insert(0, gf2m.mul(first, second, self.f))
        self._zeros.insert(0, now["sum"] == 0)
        self._write = WRITE.unpack(told["write"])
        following = dict(now)
        if told["result_we"]:
            following["result"] = product
        if told["sum_we"]:
            following["sum"] = product ^ addend
        elif told["sum_squares_we"]:
            following["sum"] = self._square(MOST_SQUARES)
        if told["after_we"]:
            count = told["after_count"].bit_length()
            following["after"] = self._square(count) if count else 0
        sources = {"xs": now["sum"], "xd": self._square(2), "zs": self._square(1), "zd": self._square(1)}
        loads = {"xs": a[0], "xd": a[1], "zs": b[0], "zd": b[1]}
        for name, source in sources.items():
            if told["load"] or told[f"{name}_we"]:
                following[name] = loads[name] if told["load"] else source
        self.registers = following
        return value, int(zero)

    def _square(self, times: int) -> int:
        """Sum, squared so often."""
        value = self.registers["sum"]
        for _ in range(times):
            value = gf2m.square(value, self.f)
        return value


def sum_of(values: Mapping[str, int], chosen: Mapping[str, int]) -> int:
    """What the chosen names stand for: one value, or 0."""
    total = 0
    for name, bit in chosen.items():
        total ^= values[name] if bit else 0
    return total
