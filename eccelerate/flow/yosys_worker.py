"""Runs Yosys on one job file in a process of its own: ``python -m eccelerate.flow.yosys_worker job.json``.

Yosys ends the process on an error and prints its log to stdout, so it never runs inside the caller. All paths
in the job are relative to the working folder. There are two kinds of job:

    {"do": "synth", "slang": [arguments], "script": [commands], "top": name, "family": name, "out": stem}
    {"do": "flatten", "inputs": [netlists], "top": name, "out": stem}

Both write ``<out>.json``. A synth job also writes ``<out>.v`` (for gate-level simulation) and
``<out>.info.json``.
"""

import json
import sys
from pathlib import Path
from typing import Any

from eccelerate.flow.netlist import absorb_output_registers, repair_constant_carries


def synth(job: dict[str, Any]) -> None:
    """Elaborate the design, map it, repair the netlist, and write it."""
    from pyosys import libyosys as ys

    out, top = job["out"], job["top"]
    design = ys.Design()
    # The list form keeps quotes in -G values from Yosys' command splitter.
    ys.Pass.call(design, ["read_slang", *job["slang"]])
    for command in job["script"]:
        ys.run_pass(command, design)
    ys.run_pass(f"write_json {out}.json", design)

    netlist = json.loads(Path(f"{out}.json").read_text())
    module = netlist["modules"][top]
    info: dict[str, int] = {}
    if job["family"] == "ecp5":
        info["absorbed_ram_ports"] = absorb_output_registers(module)
    if job["family"] == "nexus":
        info |= repair_constant_carries(module)
    Path(f"{out}.json").write_text(json.dumps(netlist))
    Path(f"{out}.info.json").write_text(json.dumps(info))

    final = ys.Design()
    ys.run_pass(f"read_json {out}.json", final)
    ys.run_pass(f"hierarchy -top {top}", final)
    ys.run_pass("clean", final)
    ys.run_pass(f"write_json {out}.json", final)
    ys.run_pass("rename -enumerate -pattern n% w:$*", final)
    ys.run_pass(f"write_verilog -noattr {out}.v", final)


def flatten(job: dict[str, Any]) -> None:
    """Join netlists and flatten them into ``top``. A real module replaces a black box with its name, as the
    design replaces the one in its wrapper.

    Black boxes of vendor cells must stay, because they tell Yosys the direction of pins.
    """
    from pyosys import libyosys as ys

    modules: dict[str, Any] = {}
    for name in job["inputs"]:
        for module, body in json.loads(Path(name).read_text())["modules"].items():
            if module not in modules or not {"blackbox", "whitebox"} & body["attributes"].keys():
                modules[module] = body
    out = job["out"]
    Path(f"{out}.json").write_text(json.dumps({"creator": "eccelerate", "modules": modules}))
    design = ys.Design()
    for command in (
        f"read_json {out}.json",
        f"hierarchy -top {job['top']}",
        "flatten",
        "clean",
        f"write_json {out}.json",
    ):
        ys.run_pass(command, design)


if __name__ == "__main__":
    task = json.loads(Path(sys.argv[1]).read_text())
    {"synth": synth, "flatten": flatten}[task["do"]](task)
