"""Gate-level bench: mapped netlists of the primitives and their portable bodies get the same inputs."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

import pyosys

from eccelerate.flow import Design, synthesise
from eccelerate.flow.design import param_text
from eccelerate.rtlsim.verilate import verilator_root
from tests.verilated import quick_build_environment

ROOT = Path(__file__).resolve().parents[2]
PRIM = ROOT / "rtl" / "prim"
HERE = Path(__file__).parent
YOSYS = Path(pyosys.__file__).parent / "share"

CYCLES = 1000
# Primitives that are made of other primitives.
PARTS = {"eccel_ram_1p": ["eccel_ram"]}


@dataclass(frozen=True)
class Case:
    """One primitive with parameters.

    `mutate` is an (old, new) text in the netlist. After this replacement outputs must differ.
    """

    module: str
    params: dict[str, int | str]
    mutate: tuple[str, str] | None = None

    def design(self, name: str) -> Design:
        image = self.params.get("InitFile")
        return Design(
            name=name,
            top=self.module,
            files=[PRIM / f"{name}.sv" for name in (self.module, *PARTS.get(self.module, []))],
            params=self.params,
            data=[HERE / image] if isinstance(image, str) else [],
        )


def _instance(case: Case, module: str, params: str, name: str, tail: str) -> str:
    pins = {
        "eccel_mul18": f".clk_i(clk), .a_en_i(ae_{name}), .a_clr_i(ac_{name}), .a_i(a_{name}), "
        f".b_en_i(be_{name}), .b_i(b_{name}), .p_o(q_{name}_{tail})",
        "eccel_ram": f".clk_i(clk), .clr_i(clr_{name}), .we_i(we_{name}), .waddr_i(wa_{name}), "
        f".wdata_i(wd_{name}), .raddr_i(ra_{name}), .rdata_o(q_{name}_{tail})",
        "eccel_ram_1p": f".clk_i(clk), .we_i(we_{name}), .waddr_i(wa_{name}), .wdata_i(wd_{name}), "
        f".raddr_i(ra_{name}), .rdata_o(q_{name}_{tail})",
        "eccel_add": f".a_i(a_{name}), .b_i(b_{name}), .add_i(add_{name}), .sub_i(sub_{name}), "
        f".c_i(c_{name}), .sum_o(q_{name}_{tail})",
        "eccel_add_invert": f".a_i(a_{name}), .b_i(b_{name}), .c_i(c_{name}), .sum_o(q_{name}_{tail})",
        "eccel_mul18_signed": f".clk_i(clk), .a_i(a_{name}), .b_i(b_{name}), .p_o(q_{name}_{tail})",
        "eccel_add_mux": f".a_i(a_{name}), .b_i(b_{name}), .c_i(c_{name}), .sel_i(sel_{name}), "
        f".sum_o(q_{name}_{tail})",
        "eccel_rom": f".clk_i(clk), .raddr_i(ra_{name}), .rdata_o(q_{name}_{tail})",
        "eccel_ff_copy": f".clk_i(clk), .d_i(d_{name}), .q_o(q_{name}_{tail})",
    }[case.module]
    return f"  {module} {params} u_{name}_{tail} ({pins});\n"


def _random(width: int) -> str:
    """A random number of `width` bits as an expression."""
    return f"{width}'({{{', '.join(['$urandom'] * (-(-width // 32)))}}})"


def _stimulus(case: Case, name: str) -> tuple[str, str, int, int]:
    """Declarations, statements executed before each clock edge, output bits, and cycles before comparing."""
    p = case.params
    if case.module == "eccel_add":
        width = int(p["Width"])
        number = _random(width)
        declare = f"  logic [{width - 1}:0] a_{name}, b_{name};\n  logic add_{name}, sub_{name}, c_{name};\n"
        text = f"      a_{name} = {number}; b_{name} = {number}; c_{name} = $urandom % 2 == 0;\n"
        text += f"      add_{name} = $urandom % 3 == 0; sub_{name} = !add_{name} && $urandom % 2 == 0;\n"
        # Carries pass from end to end, in both directions of the sum.
        text += f"      if (cycle % 5 == 0) b_{name} = ~a_{name};\n"
        text += f"      if (cycle % 7 == 0) b_{name} = a_{name};\n"
        text += f"      if (cycle % 11 == 0) a_{name} = '1;\n"
        return declare, text, width + 1, 0
    if case.module == "eccel_add_invert":
        width = int(p["Width"])
        number = _random(width)
        declare = f"  logic [{width - 1}:0] a_{name}, b_{name};\n  logic c_{name};\n"
        text = f"      a_{name} = {number}; b_{name} = {number}; c_{name} = $urandom % 2 == 0;\n"
        # Carries from end to end, if the inverters are these or none.
        text += f"      if (cycle % 5 == 0) b_{name} = ~a_{name} ^ {width}'({p['Invert']});\n"
        text += f"      if (cycle % 7 == 0) b_{name} = ~a_{name};\n"
        return declare, text, width + 1, 0
    if case.module == "eccel_mul18_signed":
        wa, wb = int(p["WidthA"]), int(p["WidthB"])
        text = f"      a_{name} = $urandom; b_{name} = $urandom;\n"
        # The largest products: of all ones, and of the most negative operands.
        text += f"      if (cycle % 7 == 0) a_{name} = '1;\n      if (cycle % 11 == 0) b_{name} = '1;\n"
        for divisor, number, bits in ((5, "a", wa), (3, "b", wb)):
            text += f"      if (cycle % {divisor} == 0) {number}_{name} = {bits}'(1) << {bits - 1};\n"
        return f"  logic [{wa - 1}:0] a_{name};\n  logic [{wb - 1}:0] b_{name};\n", text, wa + wb, 8
    if case.module == "eccel_add_mux":
        width = int(p["Width"])
        number = _random(width)
        declare = f"  logic [{width - 1}:0] a_{name}, b_{name}, c_{name};\n  logic sel_{name};\n"
        text = f"      a_{name} = {number}; b_{name} = {number}; c_{name} = {number};\n"
        text += f"      sel_{name} = $urandom % 2 == 0;\n"
        # Carries from end to end.
        text += f"      if (cycle % 5 == 0) b_{name} = -a_{name};\n"
        text += f"      if (cycle % 7 == 0) c_{name} = -a_{name};\n"
        return declare, text, width, 0
    if case.module == "eccel_mul18":
        wa, wb = int(p["WidthA"]), int(p["WidthB"])
        text = f"      a_{name} = $urandom; b_{name} = $urandom;\n"
        # All ones are the largest product; random operands rarely reach it.
        text += f"      if (cycle % 7 == 0) a_{name} = '1;\n      if (cycle % 11 == 0) b_{name} = '1;\n"
        # The first cycles load both operands; then they are held, loaded and cleared at random.
        text += (
            f"      ae_{name} = cycle < 4 || $urandom % 4 != 0; be_{name} = cycle < 4 || $urandom % 4 != 0;\n"
        )
        text += f"      ac_{name} = $urandom % 8 == 0;\n"
        declare = f"  logic ae_{name}, ac_{name}, be_{name};\n"
        declare += f"  logic [{wa - 1}:0] a_{name};\n  logic [{wb - 1}:0] b_{name};\n"
        return declare, text, wa + wb, 8
    if case.module == "eccel_ff_copy":
        return f"  logic d_{name};\n", f"      d_{name} = $urandom % 2 == 0;\n", 1, 1
    width, depth = int(p["Width"]), int(p["Depth"])
    bits = (depth - 1).bit_length()
    declare = f"  logic [{bits - 1}:0] ra_{name};\n"
    text = f"      ra_{name} = {bits}'($urandom % {depth});\n"
    if case.module == "eccel_rom":
        return declare, text, width, 8
    declare += f"  logic we_{name}, we1_{name}, we2_{name};\n  logic [{bits - 1}:0] wa_{name};\n"
    declare += f"  logic [{width - 1}:0] wd_{name};\n"
    # First every word is written once, then at random places.
    text += f"      wa_{name} = {bits}'(cycle < {depth} ? cycle : $urandom % {depth});\n"
    text += f"      we2_{name} = we1_{name}; we1_{name} = we_{name};\n"
    text += f"      we_{name} = cycle < {depth} || $urandom % 2 == 0;\n"
    if case.module == "eccel_ram":
        declare += f"  logic clr_{name}, clr1_{name}, clr2_{name};\n"
        text += f"      clr2_{name} = clr1_{name}; clr1_{name} = clr_{name};\n"
        text += f"      clr_{name} = $urandom % 2 == 0;\n"
    text += f"      wd_{name} = {{{', '.join(['$urandom'] * (-(-width // 32)))}}};\n"
    text += f"      if (ra_{name} == wa_{name}) ra_{name} = {bits}'(wa_{name} == 0 ? 1 : wa_{name} - 1);\n"
    return declare, text, width, depth + 8


def bench(family_device: str, cases: list[Case], folder: Path) -> tuple[str, list[Path]]:
    """SystemVerilog of the bench (module ``tb``), and the netlist files with modules ``gate_<n>``."""
    declare, drive, instances, check, final, netlists = "", "", "", "", "", []
    for n, case in enumerate(cases):
        name = str(n)
        mapped = synthesise(case.design(f"gate-{case.module}-{n}"), family_device)
        text = mapped.verilog.read_text().replace(f"module {case.module}(", f"module gate_{n}(")
        assert f"module gate_{n}(" in text
        if case.mutate:
            old, new = case.mutate
            assert old in text, f"mutation {old!r} does not apply"
            text = text.replace(old, new)
        netlists.append(folder / f"gate_{n}.v")
        netlists[-1].write_text(text)
        d, s, width, start = _stimulus(case, name)
        declare += d + f"  logic [{width - 1}:0] q_{n}_gold, q_{n}_gate;\n  int bad_{n} = 0, seen_{n} = 0;\n"
        drive += s
        params = "#(" + ", ".join(f".{k}({param_text(v)})" for k, v in case.params.items()) + ")"
        instances += _instance(case, case.module, params, name, "gold") + _instance(
            case, f"gate_{n}", "", name, "gate"
        )
        # A value read while writing is undefined for a memory that reads and writes in turns.
        defined = f" && !we2_{n}" if case.module == "eccel_ram_1p" else ""
        if case.module == "eccel_ram":  # a word read in the cycle of a clr_i is undefined
            defined = f" && (!clr2_{n} || clr1_{n})"
        check += f"      if (cycle > {start}{defined}) begin\n        seen_{n}++;\n"
        check += f"        if (q_{n}_gold !== q_{n}_gate) bad_{n}++;\n      end\n"
        final += f'    $display("case {n} compared %0d different %0d", seen_{n}, bad_{n});\n'
    longest = max(int(c.params.get("Depth", 0)) for c in cases) + CYCLES
    return (
        f"module tb;\n  logic clk = 0;\n{declare}{instances}"
        f"  initial begin\n    for (int cycle = 0; cycle < {longest}; cycle++) begin\n{drive}"
        f"      #1;\n{check}      clk = 1;\n      #1;\n      clk = 0;\n      #1;\n    end\n"
        f"{final}    $finish;\n  end\nendmodule\n",
        netlists,
    )


def run(family_device: str, cases: list[Case], models: list[Path], folder: Path) -> list[tuple[int, int]]:
    """Build and run the bench. Returns (compared, different) for each case.

    `models` are files of cell models that are read as they are. Yosys' own cell library provides the other
    cells.
    """
    library = {
        "ecp5": "lattice/cells_sim_ecp5.v",
        "lifcl": "lattice/cells_sim_nexus.v",
        "up5k": "ice40/cells_sim.v",
    }
    cells = YOSYS / next(v for k, v in library.items() if family_device.startswith(k))
    source, netlists = bench(family_device, cases, folder)
    (folder / "tb.sv").write_text(source)
    for image in HERE.glob("*.hex"):
        (folder / image.name).write_bytes(image.read_bytes())
    gold = sorted({str(PRIM / f"{name}.sv") for c in cases for name in (c.module, *PARTS.get(c.module, []))})
    argv = [
        str(verilator_root() / "bin" / "verilator"),
        "--binary",
        "--timing",
        "-Wno-fatal",
        "-Wno-lint",
        "-Wno-style",
        "-O1",
    ]
    argv += ["--top-module", "tb", "-I" + str(cells.parent), "-v", str(cells)]
    argv += ["-DNO_ICE40_DEFAULT_ASSIGNMENTS", "tb.sv", *gold, *map(str, netlists), *map(str, models)]
    built = subprocess.run(
        argv, cwd=folder, env=quick_build_environment(), capture_output=True, text=True, timeout=400
    )
    assert built.returncode == 0, (built.stdout + built.stderr)[-3000:]
    done = subprocess.run(["obj_dir/Vtb"], cwd=folder, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, (done.stdout + done.stderr)[-2000:]
    rows = [line.split() for line in done.stdout.splitlines() if line.startswith("case ")]
    return [(int(r[3]), int(r[5])) for r in rows]
