"""A folder with the RTL of a cut: a top for each device, the library, and a bench of all devices."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from eccelerate.explore.partition.link_spec import PartitionError
from eccelerate.explore.partition.partition_cuts import Cut
from eccelerate.explore.partition.partition_rtl import channels
from eccelerate.explore.partition.partition_run import BENCH, PREFIX, SYSTEM, jobs_text, sources

_MAKEFILE = """# Simulates all devices together: `make`. It needs Verilator and a C++ compiler.
VERILATOR ?= verilator
RTL = {files}

run: obj/bench jobs.txt
\tobj/bench --channels {channels}

obj/bench: $(RTL) bench.cpp
\t$(VERILATOR) --cc --exe --build -O3 --x-initial unique --no-timing -Wno-fatal -Wno-lint -Wno-style \\
\t    --prefix {prefix} --top-module {system} --Mdir obj -CFLAGS "-std=gnu++20 -O1" -o bench $(RTL) bench.cpp

.PHONY: run
"""

_README = """# {title}

`{op}` of {bits} bits on {count} x {device}, link {link}. Written by `eccel partition`.

    make            # simulates all devices with their links; results are compared with jobs.txt

| file | purpose |
|---|---|
{devices}| `rtl/` | the library: links (`eccel_link*`), units, primitives in portable form |
| `{system}.sv` | all devices, the host's end of its link, and channels: for simulation |
| `eccel_link_channel.sv` | a channel that can lose, repeat, exchange and corrupt words: for simulation |
| `bench.cpp`, `jobs.txt`, `Makefile` | the bench; `obj/bench --cut 0 500` cuts channel 0 at clock 500 |
| `plan.json` | all cuts with their cost |

For synthesis, take a device file and `rtl/`. On ECP5, Nexus and iCE40 replace the primitives by those of
`rtl/prim_<vendor>`. Between a device and the channel you need your own transceiver: it takes a word with
`*_valid_o && *_ready_i`, and carries the word and `*_head_o`.
"""


def write_partition(cut: Cut, record: dict[str, Any], jobs: int, folder: Path) -> list[Path]:
    """Write the folder and return its files. Raises PartitionError if it is not new or empty, or if the RTL
    of the cut is not generated.
    """
    if cut.job.op == "scalar":
        raise PartitionError("--out writes no engines: `eccel build` bundles an engine for each device")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise PartitionError(f"--out {folder}: the folder is not empty; give a new one")
    library, generated = sources(cut)
    rtl = folder / "rtl"
    rtl.mkdir(parents=True, exist_ok=True)
    written, names = [], []
    for path in library:
        target = (folder if path.parent.name == "sim" else rtl) / path.name
        shutil.copy(path, target)
        written.append(target)
        names.append(str(target.relative_to(folder)))
    texts = dict(generated)
    texts["jobs.txt"] = jobs_text(cut.job, jobs)
    texts["plan.json"] = json.dumps(record, indent=2) + "\n"
    texts["bench.cpp"] = BENCH.read_text()
    texts["Makefile"] = _MAKEFILE.format(
        files=" ".join([*names, *generated]), channels=len(channels(cut)), prefix=PREFIX, system=SYSTEM
    )
    rows = "".join(f"| `{device.name}.sv` | {', '.join(device.holds)} |\n" for device in cut.devices)
    texts["README.md"] = _README.format(
        title=cut.title[0].upper() + cut.title[1:], op=cut.job.op, bits=cut.job.bits, count=len(cut.devices),
        device=cut.job.device, link=cut.job.link.text, devices=rows, system=SYSTEM,
    )  # fmt: skip
    for name, text in texts.items():
        (folder / name).write_text(text)
        written.append(folder / name)
    return written
