"""Maps a design to standard cells with Yosys and ABC: ``python -m eccelerate.energy.cell_worker job.json``.

It runs in a process of its own, as eccelerate.flow.yosys_worker does, and for the same reason. All paths are
relative to the working folder. There are two kinds of job:

    {"do": "map", "slang": [arguments], "top": name, "liberty": file, "unused": [cells],
     "roles": {...}, "memory_bits": n, "clock_gates": bool, "out": stem}
    {"do": "read", "files": [netlists], "liberty": file, "top": name or "", "out": stem}

Both write ``<out>.json``, a flat netlist, and ``<out>.info.json``. A map job also writes ``memories.json``
with the memories that are not made of cells.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

# &st and what follows keep the adder trees that Yosys has made; scripts that begin with &fraig and scorr lose
# them. buffer: no net has more than 16 sinks.
ABC = ("&get -n", "&st", "&dch", "&nf", "&put", "buffer -c -N 16", "upsize", "dnsize", "stime -p")
OUTPUT_LOAD_FF = 10.0


def map_cells(job: dict[str, Any]) -> None:
    """Elaborate the design, map it and write it."""
    from pyosys import libyosys as ys

    out, top, roles = job["out"], job["top"], job["roles"]
    design = ys.Design()
    unused = " ".join(f"-dont_use {name}" for name in job["unused"])
    liberty = f"-liberty {job['liberty']}"

    def run(*commands: str) -> None:
        for command in commands:
            ys.run_pass(command, design)

    ys.Pass.call(design, ["read_slang", *job["slang"]])
    run(f"hierarchy -check -top {top}", "proc", "flatten", "opt_expr", "opt_clean", "opt -nodffe -nosdff")
    run("wreduce", "peepopt", "opt_clean", "memory -nomap")
    memories = _outside(run, out, job["memory_bits"])
    run(f"synth -flatten -noabc -top {top}")
    gate = roles.get("clock_gate", "")
    if job["clock_gates"] and gate:
        run(f"clockgate -pos {gate} {job['gate_pins']} -min_net_size 3")
    run(f"dfflibmap {liberty} {unused}", "opt")
    Path("abc.script").write_text("\n".join(ABC) + "\n")
    driver = roles.get("driver", "")
    lines = [f"set_driving_cell {driver}"] * bool(driver) + [f"set_load {OUTPUT_LOAD_FF} [all_outputs]"]
    Path("abc.constr").write_text("\n".join(lines) + "\n")
    run(f"abc {liberty} {unused} -constr abc.constr -script abc.script", "opt_clean -purge")
    ties = [(o, roles[r]) for r, o in (("tie_high", "-hicell"), ("tie_low", "-locell")) if r in roles]
    if ties:
        run("hilomap -singleton " + " ".join(f"{option} {pin.replace('/', ' ')}" for option, pin in ties))
    run(f"read_liberty -lib -ignore_miss_func {liberty.split()[1]}", "clean -purge", "check -assert")
    run(f"write_json {out}.json")
    Path(f"{out}.info.json").write_text(json.dumps({"top": top, "memories": memories}))


def _outside(run: Any, out: str, limit: int) -> list[dict[str, Any]]:
    """Make each memory of more than `limit` bits a module of its own, write it to memories.json and leave it
    out of the netlist. Returns their names and sizes.
    """
    # Otherwise submod makes a port of a whole wire of which the memory needs a part.
    run("splitnets", f"write_json {out}.memories.json")
    modules = json.loads(Path(f"{out}.memories.json").read_text())["modules"]
    Path(f"{out}.memories.json").unlink()
    found: list[dict[str, Any]] = []
    for module in list(modules.values()):
        for name, cell in module["cells"].items():
            if cell["type"] != "$mem_v2":
                continue
            words, width = (int(cell["parameters"][key], 2) for key in ("SIZE", "WIDTH"))
            if words * width > limit:
                new = f"eccel_memory_{len(found)}"
                run(f"submod -name {new} c:{_quoted(name)}")
                found.append({"module": new, "memory": name, "words": words, "width": width})
    keep = " ".join(str(f["module"]) for f in found)
    if found:
        run(f"select {keep}", "write_json -selected memories.json", "select -clear", f"blackbox {keep}")
    else:
        Path("memories.json").write_text('{"modules": {}}')
    return found


def _quoted(name: str) -> str:
    """A name as a pattern that matches only it: brackets are special in a selection."""
    return re.sub(r"([\[\]*?\\])", r"\\\1", name)


def read(job: dict[str, Any]) -> None:
    """Read netlists of cells, flatten them and write JSON."""
    from pyosys import libyosys as ys

    design = ys.Design()
    ys.run_pass(f"read_liberty -lib {job['liberty']}", design)
    for name in job["files"]:
        ys.run_pass(f"read_verilog {name}", design)
    which = f"-top {job['top']}" if job["top"] else "-auto-top"
    for command in (f"hierarchy -check {which}", "proc", "flatten", f"write_json {job['out']}.json"):
        ys.run_pass(command, design)
    Path(f"{job['out']}.info.json").write_text(json.dumps({"top": design.top_module().name.str()[1:]}))


if __name__ == "__main__":
    task = json.loads(Path(sys.argv[1]).read_text())
    {"map": map_cells, "read": read}[task["do"]](task)
