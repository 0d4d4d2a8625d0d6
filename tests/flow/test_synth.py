"""Synthesis makes the right cells, uses its cache, and refuses every doubtful result."""

import json
import time
from dataclasses import replace
from pathlib import Path

import pytest

from eccelerate.flow import Design, FlowError, synthesise
from eccelerate.flow.devices import FAMILIES, Family

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ECCEL_BUILD", str(tmp_path / "build"))


def design_of(text: str, folder: Path, top: str = "bad") -> Design:
    path = folder / f"{top}.sv"
    path.write_text(text)
    return Design(name=top, top=top, files=[path])


def test_sample_has_its_blocks_and_comes_from_the_cache(sample: Design) -> None:
    first = synthesise(sample, "ecp5-25f-6")
    assert (first.counts.mult, first.counts.bram, first.cautions) == (1, 2, [])
    assert first.ports["acc_o"] == ("output", 44)  # the parameter reached the top
    assert first.counts.ff >= 32 + 6 + 44
    assert not first.cached
    start = time.perf_counter()
    again = synthesise(sample, "ecp5-25f-6")
    assert again.cached and again.counts == first.counts
    assert time.perf_counter() - start < 1


def test_key_depends_on_parameters_and_memory_images(sample: Design, tmp_path: Path) -> None:
    key = synthesise(sample, "ecp5-25f-6").key
    assert synthesise(replace(sample, params={**sample.params, "AccBits": 40}), "ecp5-25f-6").key != key
    image = tmp_path / "coefficients.hex"
    image.write_text("".join(f"{i:04x}\n" for i in range(512)))
    assert synthesise(replace(sample, data=[image]), "ecp5-25f-6").key != key


def test_key_does_not_depend_on_the_name_of_a_memory_image(sample: Design, tmp_path: Path) -> None:
    image = tmp_path / "other_name.hex"
    image.write_bytes(sample.data[0].read_bytes())
    renamed = replace(sample, params={**sample.params, "ImageFile": image.name}, data=[image])
    assert renamed.digest(FAMILIES["ecp5"]) == sample.digest(FAMILIES["ecp5"])
    image.write_text("0000\n" * 512)
    assert renamed.digest(FAMILIES["ecp5"]) != sample.digest(FAMILIES["ecp5"])


def test_key_does_not_depend_on_a_primitive_that_the_top_does_not_need(tmp_path: Path) -> None:
    """Its vendor twin has cells in a file of their own, `eccel_ff_copy_cells.sv`."""
    ports = "input logic [5:0] d_i, output logic [5:0] q_o"
    text = f"module bad ({ports}); eccel_inc u_inc (.d_i, .q_o); endmodule"
    prim = ROOT / "rtl" / "prim"
    design = design_of(text, tmp_path)
    needed = replace(design, files=[prim / "eccel_inc.sv", *design.files])
    more = replace(needed, files=[prim / "eccel_ff_copy.sv", *needed.files])
    assert more.digest(FAMILIES["ecp5"]) == needed.digest(FAMILIES["ecp5"])
    used = replace(more, top="eccel_ff_copy")
    assert "eccel_ff_copy_cells.sv" in [path.name for path in used.sources(FAMILIES["ecp5"])]


def test_words_of_a_memory_image_change_only_the_contents_of_block_rams(
    sample: Design, tmp_path: Path
) -> None:
    """So records of area and clock count for every program of an engine (`flow.store.netlist_key`)."""
    image = tmp_path / sample.data[0].name
    image.write_text("".join(f"{i * 40503 % 65536:04x}\n" for i in range(512)))
    other = replace(sample, data=[image])
    assert other.digest(FAMILIES["ecp5"]) != sample.digest(FAMILIES["ecp5"])
    for rules in FAMILIES.values():
        assert other.digest(rules, contents=False) == sample.digest(rules, contents=False)

    def cells(design: Design) -> dict[str, object]:
        module = json.loads(synthesise(design, "ecp5-25f-6").netlist.read_text())["modules"][design.top]
        for cell in module["cells"].values():
            words = [name for name in cell["parameters"] if name.startswith("INITVAL_")]
            for name in words:
                del cell["parameters"][name]
        return {"cells": module["cells"], "ports": module["ports"]}

    assert cells(other) == cells(sample)


def test_ram_without_output_register_is_named(tmp_path: Path) -> None:
    design = design_of(
        "module bad (input logic clk_i, we, input logic [8:0] wa, ra,\n"
        "            input logic [35:0] d, output logic [35:0] q);\n"
        "  (* no_rw_check *) logic [35:0] mem[512];\n"
        "  always_ff @(posedge clk_i) begin if (we) mem[wa] <= d; q <= mem[ra]; end\nendmodule\n",
        tmp_path,
    )
    result = synthesise(design, "ecp5-25f-6")
    assert result.counts.bram == 1
    assert len(result.cautions) == 1 and "mem" in result.cautions[0]


def test_rom_keeps_its_output_register_in_front_of_a_table(tmp_path: Path) -> None:
    """If the RTL did not prevent it, Yosys would use the ROM's output register as the address register of the
    next table.
    """
    cases = "".join(f"      6'd{i}: return 8'd{(i * i * 37 + 11) % 251};\n" for i in range(63))
    path = tmp_path / "table.sv"
    path.write_text(
        "module table_behind (input logic clk_i, input logic [8:0] a, output logic [7:0] q);\n"
        "  function automatic logic [7:0] f(logic [5:0] x);\n"
        f"    case (x)\n{cases}      default: return 8'd0;\n"
        "    endcase\n  endfunction\n  logic [15:0] d;\n"
        '  eccel_rom #(.Width(16), .Depth(512), .InitFile("coefficients.hex")) u_rom (\n'
        "      .clk_i, .raddr_i(a), .rdata_o(d));\n"
        "  always_ff @(posedge clk_i) q <= f(d[5:0]) ^ d[15:8];\nendmodule\n"
    )
    here = Path(__file__).parent
    rom = here.parents[1] / "rtl" / "prim" / "eccel_rom.sv"
    design = Design("table", "table_behind", [rom, path], data=[here / "coefficients.hex"])
    assert synthesise(design, "ecp5-25f-6").cautions == []


def test_latch_is_refused(tmp_path: Path) -> None:
    design = design_of(
        "module bad (input logic en, d, output logic q);\n  always_latch if (en) q = d;\nendmodule\n",
        tmp_path,
    )
    with pytest.raises(FlowError, match=r"(?i)latch"):
        synthesise(design, "ecp5-25f-6")


def test_unconnected_input_is_refused(tmp_path: Path) -> None:
    design = design_of(
        "module inner (input logic a, b, output logic q);\n  assign q = a & b;\nendmodule\n"
        "module bad (input logic a, output logic q);\n  inner u (.a(a), .q(q));\nendmodule\n",
        tmp_path,
    )
    with pytest.raises(FlowError, match="input port 'b' has no connection"):
        synthesise(design, "ecp5-25f-6")


def test_multiplier_lost_by_yosys_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Yosys 0.70 with -dsp deletes an SB_MAC16 that is followed by two registers, and only prints a
    warning.
    """
    monkeypatch.setitem(FAMILIES, "ice40", Family("ice40", "synth_ice40 -device u -dsp -abc9"))
    design = design_of(
        "module bad (input logic clk_i, input logic [15:0] a, b, output logic [31:0] q);\n"
        "  logic [15:0] ar, br;\n  logic [31:0] p;\n"
        "  always_ff @(posedge clk_i) begin ar <= a; br <= b; p <= ar * br; q <= p; end\nendmodule\n",
        tmp_path,
    )
    with pytest.raises(FlowError, match=r"Driver-driver conflict|Resolved using constant"):
        synthesise(design, "up5k")


def test_errors_name_the_cause(sample: Design, tmp_path: Path) -> None:
    with pytest.raises(FlowError, match=r"no such file: .*gone.sv"):
        synthesise(replace(sample, files=[tmp_path / "gone.sv"]), "ecp5-25f-6")
    with pytest.raises(FlowError, match="no device 'ecp6'"):
        synthesise(sample, "ecp6")
    with pytest.raises(FlowError, match=r"(?i)error"):
        synthesise(
            design_of("module bad (input logic a);\n  nonsense u (.a(a));\nendmodule\n", tmp_path), "up5k"
        )
