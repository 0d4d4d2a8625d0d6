"""Named devices (``devices.toml``) and what each family needs from the tools."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from eccelerate.flow.errors import FlowError


@dataclass(frozen=True)
class Family:
    """How Yosys maps to a device family.

    ``twins`` is the folder next to ``rtl/prim`` whose modules replace the portable ones, or "" if there is
    none. ``lut_inputs`` is the number of inputs of the physical LUT (4 or 6). ``synth`` is the synthesis
    command without ``-top``; it must not insert pads. ``pads`` is the command that inserts them, where the
    placer needs them.
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
        # No -dsp: the ice40_dsp pass of Yosys 0.70 disables the registers of instantiated SB_MAC16 cells, and
        # loses inferred multipliers that are followed by two registers. The twin instantiates multipliers.
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
    """One named device: its family, and, if it can be placed, the nextpnr variant with its options.

    ``freq_mhz`` is the clock that the placer is asked for, not a claim. ``mult_mhz`` is the limit of the
    multiplier blocks where the placer does not check it. It is 0 where the placer does, or where no limit is
    known.
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
        """The mapping rules of the device's family."""
        return FAMILIES[self.family]


@cache
def devices() -> dict[str, Device]:
    """All named devices, in file order."""
    rows = tomllib.loads(Path(__file__).with_name("devices.toml").read_text())
    return {n: Device(name=n, **{**row, "args": tuple(row.get("args", ()))}) for n, row in rows.items()}


def device(name: str) -> Device:
    """The device called ``name``. FlowError, with the known names, if there is none."""
    known = devices()
    if name not in known:
        raise FlowError(f"no device {name!r}; known: {', '.join(known)}")
    return known[name]
