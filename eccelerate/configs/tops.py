"""Writes the modules of rtl/top/gen, which are wiring only: an AXI4-Lite peripheral of each kind of engine,
and of each cluster (`engines` in configs.toml) its engines with their dispatcher, and a peripheral.

    python -m eccelerate.configs.tops        writes rtl/top/gen

A peripheral of an engine has the parameters of the engine. In a cluster each engine has the parameters of its
own configuration, and reads the microcode and the table of its pool.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from pathlib import Path

from eccelerate.configs.cluster_config import ClusterConfig
from eccelerate.configs.config import RTL_DIR, TOP_ROOM, Config, ConfigError, load_configs, rtl_files
from eccelerate.configs.turbo_config import TurboConfig
from eccelerate.model.jobs import POOLS

COMMAND = "python -m eccelerate.configs.tops"
GEN_DIR = RTL_DIR / TOP_ROOM / "gen"
WAIT_CLOCKS = 2047
"""WaitClocks of a turbo engine in a cluster: the time for which the dispatcher keeps a group open, and the
time to load a packet.
"""
POOL_BITS, THREAD_BITS, WORD_BITS = (POOLS - 1).bit_length(), 4, 5
"""Bits of an element of the packed arrays PoolOf, ThreadsOf, WordsOf of eccel_dispatch."""
SLOTS, SLOTS_OF_POOLS = 16, 32
"""Slots of the job queue with one pool, and with several: jobs that wait for one pool leave less room to
collect the groups of another.
"""
ENGINE_PORTS = {
    "req_i": "packet_t", "req_ready_o": "logic", "rsp_o": "packet_t", "rsp_ready_i": "logic",
    "ent_i": "entropy_t", "ent_ready_o": "logic", "zeroise_i": "logic", "busy_o": "logic",
}  # fmt: skip
"""Ports of an engine and their types, without clock and reset (docs/architecture.md, "Engine ports")."""
SHELL_PORTS = (
    "input  logic                clk_i",
    "input  logic                rst_ni",
    "input  logic [AddrBits-1:0] s_axil_awaddr",
    "input  logic                s_axil_awvalid",
    "output logic                s_axil_awready",
    "input  logic [        31:0] s_axil_wdata",
    "input  logic [         3:0] s_axil_wstrb",
    "input  logic                s_axil_wvalid",
    "output logic                s_axil_wready",
    "output logic [         1:0] s_axil_bresp",
    "output logic                s_axil_bvalid",
    "input  logic                s_axil_bready",
    "input  logic [AddrBits-1:0] s_axil_araddr",
    "input  logic                s_axil_arvalid",
    "output logic                s_axil_arready",
    "output logic [        31:0] s_axil_rdata",
    "output logic [         1:0] s_axil_rresp",
    "output logic                s_axil_rvalid",
    "input  logic                s_axil_rready",
    "output logic                irq_o",
    "input  logic                zeroise_i",
    "input  logic                ext_ent_valid_i",
    "output logic                ext_ent_ready_o",
    "input  logic [        31:0] ext_ent_data_i",
)
"""Ports of a peripheral: plain vectors, because tools and other languages connect to them."""
FIELD = "  localparam eccel_solinas_pkg::field_t Field = eccel_solinas_pkg::field(Prime);\n\n"


@dataclass(frozen=True)
class Shown:
    """What register CONFIG of a peripheral shows: bits of a digit and words of the widest element, as
    expressions in the parameters of the engine. before: declarations that they need.
    """

    digit_bits: str
    max_words: str
    before: str = ""


SHOWN = {
    "eccel_ecp_compact": Shown("DigitBits", "MaxWords"),
    "eccel_ecp_turbo": Shown("Field.digit_bits", "Field.words", FIELD),
    "eccel_ecp_binary": Shown("ScalarDigitBits", "MaxWords"),
}
"""By the engine's module."""


def outputs() -> dict[Path, str]:
    """All generated files: path -> content."""
    texts: dict[str, str] = {}
    for config in load_configs().values():
        texts |= modules(config)
    return {GEN_DIR / f"{name}.sv": text for name, text in texts.items()}


def modules(config: Config) -> dict[str, str]:
    """The generated modules of a configuration: name -> text."""
    if isinstance(config, ClusterConfig):
        return {config.top: cluster_text(config), config.shell: cluster_shell_text(config)}
    return {config.shell: engine_shell_text(config)} if config.shell else {}


def require_current(config: Config) -> None:
    """Raises ConfigError when a generated module of a configuration is not what would be written."""
    if not is_current(config):
        raise ConfigError(
            f"the modules of {config.name} in {TOP_ROOM}/gen do not match configs.toml: run {COMMAND}"
        )


def is_current(config: Config) -> bool:
    """Whether the generated modules of a configuration are what would be written."""
    paths = {GEN_DIR / f"{name}.sv": text for name, text in modules(config).items()}
    return all(path.is_file() and path.read_text() == text for path, text in paths.items())


def _head(*about: str) -> list[str]:
    return [
        "// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1",
        f"// Generated by `{COMMAND}`. Do not edit.",
        "//",
        *(f"// {line}" for line in about),
        "",
    ]


def _pools(config: ClusterConfig) -> Iterator[str]:
    if config.single is None:
        yield "The upper two bits of a curve id name the pool of engines:"
    for number, (member, engines) in enumerate(config.members):
        yield f"Pool {number}: {engines} x {member.name}"


def _image_parameters(config: ClusterConfig) -> list[str]:
    """Of the modules: names of the images of each pool."""
    found = []
    for member, ucode, comb in config.image_parameters:
        found.append(f'parameter {ucode} = "ucode_{member.program}.hex"')
        if comb:
            found.append(f'parameter {comb} = ""')
    return found


def engine_parameters(member: Config, ucode: str, comb: str) -> dict[str, str]:
    """Parameters of an engine as its own configuration has them, and those that name its images."""
    found = {name: str(value) for name, value in member.parameters}
    if isinstance(member, TurboConfig):
        found["WaitClocks"] = str(WAIT_CLOCKS)
    found["UcodeFile"] = ucode
    if comb:
        found["CombFile"] = comb
    return found


def _packed(values: list[int], bits: int) -> str:
    """A packed array of 16 elements; element e belongs to engine e."""
    return f"{16 * bits}'h{sum(value << bits * e for e, value in enumerate(values)):0{4 * bits}x}"


def job_bits(config: ClusterConfig) -> int:
    """JobBits of the dispatcher: an engine is given up after 14 to 15 * 2^JobBits clocks of a job."""
    return max(member.job_bits for member, _ in config.members)


def _dispatch_parameters(config: ClusterConfig) -> dict[str, str]:
    each = [(number, member) for number, (member, n) in enumerate(config.members) for _ in range(n)]
    return {
        "Engines": str(config.engines),
        "Pools": str(len(config.members)),
        "PoolOf": _packed([number for number, _ in each], POOL_BITS),
        "ThreadsOf": _packed([member.threads for _, member in each], THREAD_BITS),
        "WordsOf": _packed([member.max_words for _, member in each], WORD_BITS),
        "MaxWords": str(config.max_words),
        "Slots": str(SLOTS if config.single else SLOTS_OF_POOLS),
        "JobBits": str(job_bits(config)),
    }


def _instance(
    module: str, parameters: dict[str, str], name: str, ports: dict[str, str], indent: int
) -> list[str]:
    """An instance; a port whose wire is "" has one of its own name."""
    space = " " * indent
    settings = [f"{space}    .{key}({value})" for key, value in parameters.items()]
    wires = [f"{space}    .{port}({wire})" if wire else f"{space}    .{port}" for port, wire in ports.items()]
    return [
        f"{space}{module} #(", ",\n".join(settings), f"{space}) {name} (", ",\n".join(wires), f"{space});",
    ]  # fmt: skip


def _port_list() -> str:
    """The ports of a cluster, which are those of an engine."""
    lines = ["    input  logic     clk_i", "    input  logic     rst_ni"]
    for port, kind in ENGINE_PORTS.items():
        direction = "input " if port.endswith("_i") else "output"
        lines.append(f"    {direction} {kind:9} {port}")
    return ",\n".join(lines)


@cache
def cluster_text(config: ClusterConfig) -> str:
    """The module that joins dispatcher and engines."""
    dispatch = {"clk_i": "", "rst_ni": ""} | dict.fromkeys(ENGINE_PORTS, "") | {"eng_rst_no": "rst_n"}
    for port in ENGINE_PORTS:  # what is an input of the engine is an output of the dispatcher
        wire, _, direction = port.rpartition("_")
        dispatch[f"eng_{wire}_{'o' if direction == 'i' else 'i'}"] = wire
    lines = _head(
        f"{config.name}: engines and their dispatcher, with the ports of one engine.", *_pools(config)
    )
    lines += [f"module {config.top}", "  import eccel_packet_pkg::*;", "#("]
    lines += [",\n".join(f"    {text}" for text in _image_parameters(config)), ") (", _port_list(), ");", ""]
    wires = {port.rpartition("_")[0]: kind for port, kind in ENGINE_PORTS.items()}
    lines += [f"  {kind} {name}[{config.engines}];" for name, kind in wires.items() if kind != "logic"]
    single = ("rst_n", *(name for name, kind in wires.items() if kind == "logic"))
    lines += [f"  logic [{config.engines - 1}:0] {', '.join(single)};", ""]
    lines += _instance("eccel_dispatch", _dispatch_parameters(config), "u_dispatch", dispatch, 2)
    firsts = [0, *accumulate(number for _, number in config.members)]
    images = config.image_parameters
    for number, (member, engines) in enumerate(config.members):
        first = firsts[number]
        lines += ["", f"  // {member.name}"]
        lines.append(f"  for (genvar e = {first}; e < {first + engines}; e++) begin : gen_pool{number}")
        ports = {"clk_i": "", "rst_ni": "rst_n[e]"}
        ports |= {port: f"{port.rpartition('_')[0]}[e]" for port in ENGINE_PORTS}
        lines += _instance(member.top, engine_parameters(*images[number]), "u_engine", ports, 4)
        lines.append("  end")
    return "\n".join([*lines, "", "endmodule"]) + "\n"


@cache
def engine_shell_text(config: Config) -> str:
    """An engine as an AXI4-Lite peripheral."""
    engine = config.top
    about = (
        f"{engine} as an AXI4-Lite peripheral: wiring only. Parameters, timing and guarantees are those",
        "of the engine and of eccel_axil_shell.",
    )
    return _shell(config.shell, engine, declared_parameters(config), SHOWN[engine], about)


@cache
def cluster_shell_text(config: ClusterConfig) -> str:
    """A cluster as an AXI4-Lite peripheral."""
    about = f"{config.name} as an AXI4-Lite peripheral: wiring only.", *_pools(config)
    shown = Shown(str(config.field_digit_bits), str(config.max_words))
    return _shell(config.shell, config.top, _image_parameters(config), shown, about)


def declared_parameters(config: Config) -> list[str]:
    """The parameter declarations of the engine's module. Raises ConfigError."""
    [path] = (path for path in rtl_files(config) if path.stem == config.top)
    found = re.search(rf"\bmodule {config.top}\b[^#]*#\((.*?)\n\) \(", path.read_text(), re.DOTALL)
    if found is None:
        raise ConfigError(f"{path} declares no parameters")
    lines = [line.partition("//")[0].strip().rstrip(",") for line in found[1].splitlines()]
    return [line for line in lines if line]


def _shell(name: str, engine: str, parameters: Sequence[str], shown: Shown, about: Sequence[str]) -> str:
    """The module `name`: eccel_axil_shell and `engine`, whose parameter declarations are given."""
    own = ("parameter int FifoAddrBits = 9", "parameter bit ExternalEntropy = 1'b0")
    lines = [
        *_head(*about),
        f"module {name}",
        "  import eccel_reg_pkg::AddrBits;",
        "  import eccel_packet_pkg::*;",
        "#(",
    ]
    lines += [",\n".join(f"    {text}" for text in (*parameters, *own)), ") ("]
    lines += [",\n".join(f"    {port}" for port in SHELL_PORTS), ");", ""]
    body = f"""{shown.before}  packet_t req, rsp;
  entropy_t ent;
  logic eng_rst_n, req_ready, rsp_ready, ent_ready, zeroise, busy;
"""
    settings = {"DigitBits": shown.digit_bits, "MaxWords": shown.max_words}
    settings |= {text: text for text in ("FifoAddrBits", "ExternalEntropy")}
    ports = {port.split()[-1]: "" for port in SHELL_PORTS} | {"eng_rst_no": "eng_rst_n"}
    engine_ports = {"clk_i": "", "rst_ni": "eng_rst_n"}
    for port in ENGINE_PORTS:  # what is an input of the engine is an output of the shell
        wire, _, direction = port.rpartition("_")
        ports[f"{wire}_{'o' if direction == 'i' else 'i'}"] = wire
        engine_ports[port] = wire
    names = [text.partition("=")[0].split()[-1] for text in parameters]
    lines += [body, *_instance("eccel_axil_shell", settings, "u_shell", ports, 2), ""]
    lines += _instance(engine, {name: name for name in names}, "u_engine", engine_ports, 2)
    return "\n".join([*lines, "", "endmodule"]) + "\n"


def main() -> None:
    """Write all files, and remove those that belong to no configuration."""
    files = outputs()
    GEN_DIR.mkdir(exist_ok=True)
    for path in GEN_DIR.glob("*.sv"):
        if path not in files:
            path.unlink()
    for path, text in files.items():
        path.write_text(text)


if __name__ == "__main__":
    main()
