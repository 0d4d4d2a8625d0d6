"""The RTL of a cut: a top for each device, and the system of all of them for the bench."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from eccelerate.configs.rtl_reach import reached_files
from eccelerate.explore.partition.partition_cuts import HOST, Cut
from eccelerate.explore.partition.partition_device import (
    SPDX,
    Device,
    add_sum,
    drain,
    feed,
    joined,
    link_end,
    operand,
    padded,
    queue,
    serve,
    station,
)

Files = dict[str, str]


def _replicate(cut: Cut, constants: Mapping[str, int]) -> Files:
    """Device 0 with split, merge and a unit of its own; the others are stations."""
    far = [device.name for device in cut.devices[1:]]
    home = Device("device0", cut.lane, (HOST, *far))
    files = {}
    if not far:
        station(home, cut, "host_rx", "host_tx", "host_room", cut.lane.slot_words, constants)
        return {"device0.sv": home.text("One device computes all.")}
    home.stream("own", "done", "kept")
    names = ["own", *(f"{name}_tx" for name in far)]
    back = ["kept", *(f"{name}_rx" for name in far)]
    ways = len(names)
    home.add("  logic [W-1:0] out_data;\n  logic out_last;\n")
    home.add(f"  logic [{ways - 1}:0] back_ready;\n")
    home.instance(
        "eccel_link_split", "split", {"Width": "W", "Ways": ways},
        {
            "valid_i": "host_rx_valid", "ready_o": "host_rx_ready", "data_i": "host_rx_data",
            "last_i": "host_rx_last", "valid_o": joined(names, "valid"), "ready_i": joined(names, "ready"),
            "data_o": "out_data", "last_o": "out_last",
        },
    )  # fmt: skip
    for name in names:
        home.add(f"  assign {name}_data = out_data;\n  assign {name}_last = out_last;\n")
    station(home, cut, "own", "done", "queue_room", cut.lane.slot_words, constants)
    queue(home, cut, "done", "kept")
    home.instance(
        "eccel_link_merge", "merge", {"Width": "W", "Ways": ways},
        {
            "valid_i": joined(back, "valid"), "ready_o": "back_ready", "data_i": joined(back, "data"),
            "last_i": joined(back, "last"), "valid_o": "host_tx_valid", "ready_i": "host_tx_ready",
            "data_o": "host_tx_data", "last_o": "host_tx_last",
        },
    )  # fmt: skip
    for i, name in enumerate(back):
        home.add(f"  assign {name}_ready = back_ready[{i}];\n")
    files["device0.sv"] = home.text("Hands jobs out in turn, and computes its share.")
    for name in far:
        device = Device(name, cut.lane, ("device0",))
        station(device, cut, "device0_rx", "device0_tx", "device0_room", cut.lane.slot_words, constants)
        files[f"{name}.sv"] = device.text("Computes whole jobs.")
    return files


def _half_station(device: Device, cut: Cut, source: str, sink: str, room: str) -> None:
    """A half-size product of the Karatsuba cut: two operands of half + 1 bits."""
    w, bits = device.width, cut.job.half + 1
    half, sent, back = (cut.details[key] for key in ("half", "sent", "back"))
    serve(device, sent, -(-back // cut.lane.slot_words), source, sink, room, 2 * bits)
    a, b = (operand("operands", i, half, bits, w) for i in range(2))
    device.unit(cut.unit, {"a_i": a, "b_i": b, cut.unit.result: "result"}, {})
    drain(device, "drain", "unit_done", "unit_taken", padded("result", 2 * bits, back * w), back, sink)


def _karatsuba(cut: Cut, constants: Mapping[str, int]) -> Files:
    job, w = cut.job, cut.job.width
    half, sent, back = (cut.details[key] for key in ("half", "sent", "back"))
    n_out, low, high = job.words_out, job.half, job.bits - job.half
    home = Device("device0", cut.lane, (HOST, "device1", "device2"))
    home.stream("own", "done", "kept")
    home.add(
        "  // (a0, b0) stays, (a1, b1) goes to device 1, the sums to device 2; all start at once.\n"
        "  logic scatter;\n"
    )
    feed(home, "given", "host_rx", job.words_in, "scatter")
    parts = {}
    for i, name in enumerate("ab"):
        base = f"given[{i * job.words * w}+:{low}]"
        top = f"given[{i * job.words * w + low}+:{high}]"
        parts[f"{name}0"], parts[f"{name}1"] = padded(base, low, half * w), padded(top, high, half * w)
    for name, value in parts.items():
        home.add(f"  logic [{half * w - 1}:0] {name};\n  assign {name} = {value};\n")
    zero = f"{sent * w}'d0"
    add_sum(home, "sum0", "scatter", ("{b0, a0}", zero, zero, zero), sent, "own")
    add_sum(home, "sum1", "scatter", ("{b1, a1}", zero, zero, zero), sent, "device1_tx")
    add_sum(home, "sum2", "scatter", ("{b0, a0}", "{b1, a1}", zero, zero), sent, "device2_tx")
    home.add("  assign scatter = given_full && sum0_ready && sum1_ready && sum2_ready;\n")
    _half_station(home, cut, "own", "done", "queue_room")
    queue(home, cut, "done", "kept")
    home.add("\n  // z0 + z2 2^2h + (z1 - z0 - z2) 2^h\n  logic gather;\n")
    for name, source in (("z0", "kept"), ("z2", "device1_rx"), ("z1", "device2_rx")):
        feed(home, name, source, back, "gather")
    total = n_out * w
    # A product of the lower halves has 2 low bits, and one of the upper halves 2 high bits.
    home.add(f"  logic [{total - 1}:0] low_part, z0_part, z1_part, z2_part;\n")
    home.add(
        f"  assign low_part = {total}'(z0[{2 * low - 1}:0]) | {total}'(z2[{2 * high - 1}:0]) << {2 * low};\n"
    )
    for name, bits in (("z0", 2 * low), ("z1", 2 * low + 2), ("z2", 2 * high)):
        home.add(f"  assign {name}_part = {total}'({name}[{bits - 1}:0]) << {low};\n")
    add_sum(home, "combine", "gather", ("low_part", "z1_part", "z0_part", "z2_part"), n_out, "host_tx")
    home.add("  assign gather = z0_full && z1_full && z2_full && combine_ready;\n")
    files = {
        "device0.sv": home.text("Karatsuba: splits the operands, adds the products, and computes a0 b0.")
    }
    for i, what in ((1, "a1 b1"), (2, "(a0 + a1)(b0 + b1)")):
        device = Device(f"device{i}", cut.lane, ("device0",))
        _half_station(device, cut, "device0_rx", "device0_tx", "device0_room")
        files[f"device{i}.sv"] = device.text(f"Karatsuba: computes {what}.")
    return files


def _pair_station(device: Device, cut: Cut, source: str, sink: str, room: str) -> None:
    """(a0, a1, b) -> (a0 + a1 2^h) b, with two products of the unit."""
    w, bits = device.width, cut.job.half
    half, sent, back = (cut.details[key] for key in ("half", "sent", "back"))
    total = back * w
    serve(device, sent, -(-back // cut.lane.slot_words), source, sink, room, 2 * bits, steps=2)
    device.add(f"  logic second_q;\n  logic [{2 * bits - 1}:0] first_q;\n")
    a0, a1, b = (operand("operands", i, half, bits, w) for i in range(3))
    device.unit(cut.unit, {"a_i": f"unit_step ? {a1} : {a0}", "b_i": b, cut.unit.result: "result"}, {})
    device.add(
        "  always_ff @(posedge clk_i) begin\n    if (rst_i) second_q <= 1'b0;\n"
        "    else if (unit_done) second_q <= !second_q;\n    if (unit_done && !second_q) first_q <= result;\n"
        "  end\n"
    )
    zero = f"{total}'d0"
    terms = (f"{total}'(first_q)", f"{total}'(result) << {bits}", zero, zero)
    add_sum(device, "pair", "unit_done && second_q", terms, back, sink)


def _halves(cut: Cut, constants: Mapping[str, int]) -> Files:
    job, w = cut.job, cut.job.width
    half, sent, back = (cut.details[key] for key in ("half", "sent", "back"))
    n_out, low, high = job.words_out, job.half, job.bits - job.half
    home = Device("device0", cut.lane, (HOST, "device1"))
    home.stream("own", "done", "kept")
    home.add("  logic scatter, own_drained, far_drained;\n")
    feed(home, "given", "host_rx", job.words_in, "scatter")
    for i, name in enumerate("ab"):
        base = f"given[{i * job.words * w}+:{low}]"
        top = f"given[{i * job.words * w + low}+:{high}]"
        home.add(f"  logic [{half * w - 1}:0] {name}0, {name}1;\n")
        home.add(f"  assign {name}0 = {padded(base, low, half * w)};\n")
        home.add(f"  assign {name}1 = {padded(top, high, half * w)};\n")
    home.add("  assign scatter = given_full && own_drained && far_drained;\n")
    drain(home, "own_drain", "scatter", "own_drained", "{b0, a1, a0}", sent, "own")
    drain(home, "far_drain", "scatter", "far_drained", "{b1, a1, a0}", sent, "device1_tx")
    _pair_station(home, cut, "own", "done", "queue_room")
    queue(home, cut, "done", "kept")
    home.add("  logic gather;\n")
    for name, source in (("p0", "kept"), ("p1", "device1_rx")):
        feed(home, name, source, back, "gather")
    total, bits = n_out * w, 3 * low
    home.add(f"  logic [{total - 1}:0] p0_part, p1_part;\n")
    home.add(f"  assign p0_part = {total}'(p0[{min(bits, back * w) - 1}:0]);\n")
    home.add(f"  assign p1_part = {total}'(p1[{min(bits, back * w) - 1}:0]) << {low};\n")
    zero = f"{total}'d0"
    add_sum(home, "combine", "gather", ("p0_part", "p1_part", zero, zero), n_out, "host_tx")
    home.add("  assign gather = p0_full && p1_full && combine_ready;\n")
    device = Device("device1", cut.lane, ("device0",))
    _pair_station(device, cut, "device0_rx", "device0_tx", "device0_room")
    return {
        "device0.sv": home.text("Halves: a times the lower half of b, and the sum."),
        "device1.sv": device.text("Halves: a times the upper half of b."),
    }


def _product_station(
    device: Device, cut: Cut, source: str, sink: str, a: tuple[int, str], b: str, part: str
) -> None:
    """A product with a constant; `part` of it goes on. a: words of the packet, and the operand."""
    words, operand = a
    w, bits, n = device.width, cut.job.bits, cut.details["part"]
    serve(device, words, 1, source, sink, "unit_room", 2 * bits)
    device.unit(cut.unit, {"a_i": operand, "b_i": b, cut.unit.result: "result"}, {})
    drain(device, "drain", "unit_done", "unit_taken", padded(part, bits, n * w), n, sink)


def _products(cut: Cut, constants: Mapping[str, int]) -> Files:
    job, w = cut.job, cut.job.width
    bits, n, total = job.bits, cut.details["part"], cut.details["total"]
    low, high = f"result[{bits - 1}:0]", f"result[{2 * bits - 1}:{bits}]"
    modulus, inverse = (f"{bits}'h{constants[key]:x}" for key in ("modulus_i", "inverse_i"))
    idle = "  assign {0}_valid = 1'b0;\n  assign {0}_data = '0;\n  assign {0}_last = 1'b0;\n"
    home = Device("device0", cut.lane, (HOST, "device1", "device2"))
    home.add(
        "  // The lower half of t goes on; the upper half waits for that of m p. t + m p is a\n"
        "  // multiple of R, so that its lower half carries if that of t is not 0.\n  seq_t unit_room;\n"
    )
    home.stream("done", "kept")
    _product_station(
        home, cut, "host_rx", "device1_tx",
        (job.words_in, operand("operands", 0, job.words, bits, w)),
        operand("operands", 1, job.words, bits, w), low,
    )  # fmt: skip
    home.add("  logic upper_taken;\n")
    upper = padded(f"{{{low} != 0, {high}}}", bits + 1, total * w)
    drain(home, "upper", "unit_done", "upper_taken", upper, total, "done")
    queue(home, cut, "done", "kept")
    home.add("  assign unit_room = device1_room < queue_room ? device1_room : queue_room;\n  logic gather;\n")
    home.add("  assign device1_rx_ready = 1'b1;\n" + idle.format("device2_tx"))
    feed(home, "t", "kept", total, "gather")
    feed(home, "u", "device2_rx", n, "gather")
    home.stream("sum", "less")
    size = total * w
    terms = [f"{size}'(t[{bits - 1}:0])", f"{size}'(u[{bits - 1}:0])", f"{size}'d0"]
    add_sum(home, "add", "gather", (*terms, f"{size}'d0"), total, "sum", f"t[{bits}]")
    add_sum(
        home, "sub", "gather", (*terms[:2], f"{size}'({modulus})", f"{size}'d0"), total, "less", f"t[{bits}]"
    )
    home.add("  logic last, below_q;\n")
    feed(home, "whole", "sum", total, "last")
    feed(home, "lower", "less", total, "last")
    home.add(
        "  always_ff @(posedge clk_i) begin\n"
        "    if (less_valid && less_ready && less_last) below_q <= sub_negative;\n  end\n"
        "  assign gather = t_full && u_full && add_ready && sub_ready;\n  logic drained;\n"
        "  assign last = whole_full && lower_full && drained;\n"
    )
    value = f"(below_q ? whole[{bits - 1}:0] : lower[{bits - 1}:0])"
    drain(home, "out", "last", "drained", padded(value, bits, job.words_out * w), job.words_out, "host_tx")
    files = {"device0.sv": home.text("Montgomery: t = a b, the sum, and the last subtraction.")}
    for i, source, sink, constant, part, what in (
        (1, "device0", "device2", inverse, low, "m = t p' mod R"),
        (2, "device1", "device0", modulus, high, "the upper half of m p"),
    ):
        device = Device(f"device{i}", cut.lane, (source, sink))
        device.add(f"  seq_t unit_room;\n  assign unit_room = {sink}_room;\n")
        device.add(f"  assign {sink}_rx_ready = 1'b1;\n" + idle.format(f"{source}_tx"))
        _product_station(
            device, cut, f"{source}_rx", f"{sink}_tx", (n, f"operands[{bits - 1}:0]"), constant, part
        )
        files[f"device{i}.sv"] = device.text(f"Montgomery: {what}.")
    return files


MAKERS = {
    "one": _replicate,
    "replicate": _replicate,
    "karatsuba": _karatsuba,
    "halves": _halves,
    "products": _products,
}


def device_files(cut: Cut, constants: Mapping[str, int]) -> Files:
    """A file for each device. constants: `modulus_i` and `inverse_i` of a Montgomery product."""
    return MAKERS[cut.name.partition("-")[0]](cut, constants)


def library_files(cut: Cut) -> list[Path]:
    """Files of rtl/ that the devices need, in the order of compilation."""
    blocks = ("link", "serve", "feed", "drain", "sum", "queue", "split", "merge")
    tops = [f"eccel_{name}" if name == "link" else f"eccel_link_{name}" for name in blocks]
    return list(dict.fromkeys(path for top in (cut.unit.top, *tops) for path in reached_files(top)))


def channels(cut: Cut) -> list[tuple[str, str]]:
    """The channels of the system: from, to. The numbers of the faults in the bench."""
    return [pair for wire in cut.wires for pair in (wire.ends, wire.ends[::-1])]


def system_file(cut: Cut) -> str:
    """The system for the bench: the host's end of its link, all devices, and the channels between them."""
    lane, pairs = cut.lane, channels(cut)
    ratio, count = lane.ratio, len(pairs)
    signals, parts = [], []
    for a, b in pairs:
        for signal in ("valid", "ready", "head"):
            signals.append(f"  logic {a}_{b}_{signal};\n")
        signals.append(f"  logic [W-1:0] {a}_{b}_data;\n")
        signals.append(f"  logic far_{a}_{b}_valid, far_{a}_{b}_head;\n  logic [W-1:0] far_{a}_{b}_data;\n")
    for i, (a, b) in enumerate(pairs):
        parts.append(f"""
  eccel_link_channel #(
      .Width(W), .Num({ratio.numerator}), .Den({ratio.denominator}), .Latency({lane.latency})
  ) u_channel_{a}_{b} (
      .clk_i, .rst_i, .valid_i({a}_{b}_valid), .ready_o({a}_{b}_ready), .head_i({a}_{b}_head),
      .data_i({a}_{b}_data), .valid_o(far_{a}_{b}_valid), .head_o(far_{a}_{b}_head),
      .data_o(far_{a}_{b}_data), .cut_i(cut_i[{i}]), .fault_i(fault_i[3*{i}+:3]),
      .flip_i((W+1)'(flip_i)), .count_o()
  );
""")
    for device in cut.devices:
        ends = [pair for pair in pairs if pair[0] == device.name]
        pins = "".join(
            f",\n      .{b}_valid_o({a}_{b}_valid), .{b}_ready_i({a}_{b}_ready), .{b}_head_o({a}_{b}_head),"
            f"\n      .{b}_data_o({a}_{b}_data), .{b}_valid_i(far_{b}_{a}_valid),"
            f"\n      .{b}_head_i(far_{b}_{a}_head),"
            f"\n      .{b}_data_i(far_{b}_{a}_data)"
            for a, b in ends
        )
        name = device.name
        signals.append(f"  logic {name}_up, {name}_dead;\n  logic [15:0] {name}_retries;\n")
        parts.append(
            f"\n  {name} u_{name} (\n      .clk_i, .rst_i{pins},\n      .up_o({name}_up),"
            f" .dead_o({name}_dead), .retries_o({name}_retries)\n  );\n"
        )
    names = [device.name for device in cut.devices]
    host = link_end("host", lane, "1'b0")
    for old, new in (
        ("host_valid_o", "host_device0_valid"), ("host_ready_i", "host_device0_ready"),
        ("host_head_o", "host_device0_head"), ("host_data_o", "host_device0_data"),
        ("host_valid_i", "far_device0_host_valid"), ("host_head_i", "far_device0_host_head"),
        ("host_data_i", "far_device0_host_data"),
    ):  # fmt: skip
        host = host.replace(f"({old})", f"({new})")
    return (
        f"{SPDX}//\n// All devices of a partition with their channels, and the host's end of its link: for"
        " simulation.\n// Generated by `eccel partition`.\n\nmodule partition_system\n"
        f"  import eccel_link_pkg::*;\n#(\n    localparam int W = {lane.spec.width}\n) (\n"
        "    input  logic clk_i,\n    input  logic rst_i,\n    input  logic valid_i,\n"
        "    output logic ready_o,\n"
        "    input  logic [W-1:0] data_i,\n    input  logic last_i,\n    output logic valid_o,\n"
        "    input  logic ready_i,\n    output logic [W-1:0] data_o,\n    output logic last_o,\n"
        "    output logic up_o,\n    output logic dead_o,\n    output logic all_dead_o,\n"
        "    output logic [2:0] reason_o,\n    output logic [15:0] retries_o,\n"
        f"    input  logic [{count - 1}:0] cut_i,\n"
        f"    input  logic [{3 * count - 1}:0] fault_i,\n    input  logic [63:0] flip_i\n);\n\n"
        + "".join(signals) + host
        + "  assign host_tx_valid = valid_i;\n  assign ready_o = host_tx_ready;\n"
        "  assign host_tx_data = data_i;\n  assign host_tx_last = last_i;\n"
        "  assign valid_o = host_rx_valid;\n  assign host_rx_ready = ready_i;\n"
        "  assign data_o = host_rx_data;\n  assign last_o = host_rx_last;\n"
        f"  assign up_o = host_up && {' && '.join(f'{name}_up' for name in names)};\n"
        "  assign dead_o = host_dead;\n  assign reason_o = host_reason;\n"
        f"  assign all_dead_o = host_dead && {' && '.join(f'{name}_dead' for name in names)};\n"
        f"  assign retries_o = host_retries + {' + '.join(f'{name}_retries' for name in names)};\n"
        + "".join(parts) + "\nendmodule\n"
    )  # fmt: skip
