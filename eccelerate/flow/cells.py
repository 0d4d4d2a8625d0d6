"""Counting mapped cells: LUTs as LUT4 equivalents, flip-flops, multipliers, block RAMs."""

import re
from collections import Counter
from dataclasses import dataclass, field

# LUT4 equivalents of one cell. A carry cell of Lattice contains two LUT4. A carry cell of Xilinx and iCE40
# contains none: the LUT next to it is counted anyway. A 16x4 distributed RAM uses four LUTs, and its write
# port blocks two more. A LUT5 or LUT6 counts as the number of LUT4 that its function needs in the worst case.
LUT4_COST = {
    "LUT1": 1, "LUT2": 1, "LUT3": 1, "LUT4": 1, "LUT5": 2, "LUT6": 4, "INV": 1,
    "SB_LUT4": 1,
    "CCU2C": 2, "CCU2": 2, "WIDEFN9": 2, "TRELLIS_DPR16X4": 6, "DPR16X4": 6,
    "ALU": 1, "RAM16SDP1": 1, "RAM16SDP2": 2, "RAM16SDP4": 4,
    "RAM16X1S": 1, "RAM32X1S": 2, "RAM64X1S": 4, "RAM16X1D": 2, "RAM32X1D": 4, "RAM64X1D": 8,
    "RAM32M": 16, "RAM64M": 16, "RAM32M16": 32, "RAM64M8": 32, "SRL16E": 1, "SRLC16E": 1, "SRLC32E": 2,
}  # fmt: skip

# Physical LUTs of one cell in six-input families, where they differ from one.
LUT6_SITES = {"INV": 0, "RAM32M": 4, "RAM64M": 4, "RAM32M16": 8, "RAM64M8": 8, "RAM32X1D": 2, "RAM64X1D": 2}

FF = re.compile(r"^(TRELLIS_FF|FD1[PS]\w+|FD[RSCPE]{1,3}(_1)?|FDRSE|FDCPE|SB_DFF\w*|DFF[A-Z]*)$")
MULT = re.compile(r"^(MULT\w+|SB_MAC16|DSP48\w*)$")
LATCH = re.compile(r"LATCH|^LD[CPE]|^DL[NPCE]*$|_DLATCH")

# Block RAMs in the family's own smallest block.
BRAM = {
    "DP16KD": 1, "PDPW16KD": 1, "DP16K": 1, "PDP16K": 1, "PDPSC16K": 1, "SP16K": 1, "SB_RAM40_4K": 1,
    "RAMB18E1": 1, "RAMB36E1": 2, "RAMB18E2": 1, "RAMB36E2": 2, "RAMB16": 1,
    "SDPB": 1, "SDPX9B": 1, "DPB": 1, "DPX9B": 1, "SP": 1, "SPX9": 1, "pROM": 1, "pROMX9": 1,
}  # fmt: skip


@dataclass(frozen=True)
class Counts:
    """Cells of one mapped module.

    ``lut4`` counts LUT4 equivalents (a LUT5 is 2, a LUT6 is 4), ``lut`` the family's own LUTs, ``ff`` the
    flip-flops in fabric, ``mult`` the multiplier blocks, and ``bram`` the block RAMs as blocks of the
    family's smallest size. ``cells`` has the number of cells of every type.
    """

    lut4: int
    lut: int
    ff: int
    mult: int
    bram: int
    cells: dict[str, int] = field(default_factory=dict)

    @property
    def luts_by_size(self) -> dict[str, int]:
        """LUT cells by type, for families that have LUTs of several sizes."""
        return {k: n for k, n in sorted(self.cells.items()) if re.fullmatch(r"(SB_)?LUT\d", k)}


def block_rams(kind: str) -> int:
    """Number of the family's smallest block RAMs that a cell of this type uses: 0 if it is no block RAM."""
    if kind in BRAM:
        return BRAM[kind]
    return 1 if kind.startswith(("RAMB4_", "RAMB16_")) else 0


def count(cells: Counter[str], lut_inputs: int) -> Counts:
    """Counts from the number of cells of each type, for a family whose LUTs have ``lut_inputs`` inputs."""
    lut4 = sum(LUT4_COST.get(k, 0) * n for k, n in cells.items())
    sites = sum(LUT6_SITES.get(k, 1) * n for k, n in cells.items() if k in LUT4_COST)
    return Counts(
        lut4=lut4,
        lut=sites if lut_inputs == 6 else lut4,
        ff=sum(n for k, n in cells.items() if FF.match(k)),
        mult=sum(n for k, n in cells.items() if MULT.match(k)),
        bram=sum(block_rams(k) * n for k, n in cells.items()),
        cells=dict(sorted(cells.items())),
    )
