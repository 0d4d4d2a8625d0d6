"""Named devices (``devices.toml``) and what each family needs from the tools."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from eccelerate.flow.errors import FlowError


@dataclass(frozen=True)
class Family:
    """How Yosys maps to a device family.

    twins: folder beside ``rtl/prim`` whose modules replace the portable ones, or "" for none. lut_inputs:
    inputs of the physical LUT (4 or 6). synth: synthesis command without ``-top``; it must not insert pads.
    pads: what to add when it must.
    """

    name: str
    synth: str
    twins: str = ""
    lut_inputs: int = 4
    pads: str = ""


FAMILIES = {
    f.name: f
    for f in (
        Family("ecp5", "synth_lattice -family ecp5 -noiopad -nowidelut", twins="prim_ecp5"),
        Family("nexus", "synth_lattice -family lifcl -noiopad", pads="synth_lattice -family lifcl"),
        # Without -dsp: Yosys' ice40_dsp pass switches the registers of instantiated SB_MAC16 off (0.70), and
        # loses inferred multipliers behind which two registers follow. Multipliers are instantiated in the
        # twin.
        Family("ice40", "synth_ice40 -device u -abc9", twins="prim_ice40"),
        Family("gw2a", "synth_gowin -family gw2a -noiopads"),
        # Shift registers stay flip-flops so that FF and LUT counts compare across families.
        *(
            Family(x, f"synth_xilinx -family {x} -noiopad -noclkbuf -nosrl", lut_inputs=inputs)
            for x, inputs in (("xc2vp", 4), ("xc4v", 4), ("xc7", 6), ("xcup", 6))
        ),
    )
}


@dataclass(frozen=True)
class Device:
    """One named device: family, and for placeable ones the nextpnr flavour with its options.

    freq_mhz is the clock asked of the placer, not a claim. mult_mhz: the limit of its multiplier blocks where
    the placer does not check it, 0 where it does or none is known.
    """

    name: str
    family: str
    note: str
    place: str = ""
    args: tuple[str, ...] = ()
    speed: str = ""
    freq_mhz: int = 0
    mult_mhz: int = 0

    @property
    def rules(self) -> Family:
        """Mapping rules of the family."""
        return FAMILIES[self.family]


@cache
def devices() -> dict[str, Device]:
    """All named devices, in file order."""
    rows = tomllib.loads(Path(__file__).with_name("devices.toml").read_text())
    return {n: Device(name=n, **{**row, "args": tuple(row.get("args", ()))}) for n, row in rows.items()}


def device(name: str) -> Device:
    """The device called ``name``; FlowError lists the known names otherwise."""
    known = devices()
    if name not in known:
        raise FlowError(f"no device {name!r}; known: {', '.join(known)}")
    return known[name]
