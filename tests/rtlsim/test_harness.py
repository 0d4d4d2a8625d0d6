"""The simulation harness itself, on a small stand-in engine: handshakes, clocks, entropy, events,
waveforms.
"""

import os
import signal as signals
from pathlib import Path

import pytest

from eccelerate.configs.config import RTL_DIR
from eccelerate.driver.packet import Request
from eccelerate.driver.transport import TransportError
from eccelerate.rtlsim.rtl import Entropy, EventKind, Plan, RtlTransport, WasReset, Watchdog
from eccelerate.rtlsim.state_layout import Place, layout, locate, parse_lines, registers, signal
from eccelerate.rtlsim.verilate import BuildError, ModelSource, build_model, find_signals

WAIT = 10
SOURCE = ModelSource(
    "eccel_echo",
    (RTL_DIR / "isa" / "eccel_packet_pkg.sv", Path(__file__).parent / "rtl" / "eccel_echo.sv"),
    (("Wait", WAIT), ("UcodeFile", "ucode.hex")),
)
KEY, RANDOM = 1, 2


@pytest.fixture
def image(tmp_path: Path) -> Path:
    path = tmp_path / "image.hex"
    path.write_text("cafe0001\n")
    return path


@pytest.fixture
def echo(image: Path) -> RtlTransport:
    return RtlTransport(SOURCE, program=image)


def packet(*operands: int, flags: int = 0, tag: int = 0x1234) -> list[int]:
    return Request(1, 1, tag, flags, 6, operands).words()


def test_words_come_back_and_latency_is_counted(echo: RtlTransport) -> None:
    words = packet(5, 1 << 191)
    reply = echo.exchange(words)
    assert reply.words[2:] == words[2:]
    assert reply.words[0] == 0x12340100
    assert reply.cycles == WAIT + 1


@pytest.mark.parametrize("stalls", [(0x55555555, 0), (0, 0xFFFF0001), (0x0F0F33F1, 0x7FFFFFFE)])
def test_back_pressure_loses_nothing(echo: RtlTransport, stalls: tuple[int, int]) -> None:
    echo.plan = Plan(req_stall=stalls[0], rsp_stall=stalls[1])
    for tag in range(5):
        words = packet(tag, 77, tag=tag)
        assert echo.exchange(words).words[2:] == words[2:]


def test_a_forked_process_leaves_the_model_to_its_parent(echo: RtlTransport) -> None:
    child = os.fork()
    if not child:
        signals.alarm(20)
        echo.close()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert echo.exchange(packet(1)).words[0] == 0x12340100


def test_watchdog_ends_a_hang(echo: RtlTransport) -> None:
    echo.plan = Plan(watchdog=15)
    with pytest.raises(Watchdog, match="within 15 clocks"):
        echo.exchange(packet(1))


def test_watchdog_of_a_stream_counts_from_the_last_response(echo: RtlTransport) -> None:
    """A stream may take as long as its jobs do, but a job that hangs ends it."""
    alone = echo.stream([packet(0)])[0].cycles or 0
    echo.plan = Plan(watchdog=2 * alone)
    jobs = [packet(tag, tag=tag) for tag in range(20)]
    ends = [reply.cycles or 0 for reply in echo.stream(jobs)]
    assert len(ends) == 20 and ends[-1] > 4 * alone
    echo.entropy(Entropy.NONE)
    with pytest.raises(Watchdog, match="20 of 21 responses"):
        echo.stream([*jobs, packet(flags=RANDOM)])


def test_reset_at_a_chosen_clock_and_clean_restart(echo: RtlTransport) -> None:
    echo.plan = Plan(reset_at=9)
    with pytest.raises(WasReset):
        echo.exchange(packet(1, 2))
    assert not echo.busy
    echo.plan = Plan()
    assert echo.exchange(packet(3)).words[2] == 3


def test_zeroise_pulse_reaches_the_running_job_only(echo: RtlTransport) -> None:
    echo.plan = Plan(zeroise_at=12)
    assert echo.exchange(packet(1)).words[0] & 0xFF == 0x1B
    echo.plan = Plan()
    assert echo.exchange(packet(1)).words[0] & 0xFF == 0


def test_entropy_is_repeatable_from_its_seed(image: Path) -> None:
    def draws(seed: int) -> list[int]:
        with RtlTransport(SOURCE, program=image, seed=seed) as model:
            return [model.exchange(packet(flags=RANDOM)).words[-1] for _ in range(4)]

    assert draws(1) == draws(1)
    assert len(set(draws(1) + draws(2))) == 8


def test_entropy_sources(echo: RtlTransport) -> None:
    echo.entropy(Entropy.CONSTANT, 7)
    echo.entropy_words([11, 12])
    assert [echo.exchange(packet(flags=RANDOM)).words[-1] for _ in range(4)] == [11, 12, 7, 7]
    echo.entropy(Entropy.NONE)
    echo.plan = Plan(watchdog=500)
    with pytest.raises(Watchdog):
        echo.exchange(packet(flags=RANDOM))


def test_program_image_is_read_at_open(tmp_path: Path) -> None:
    for value in (0x11, 0x22):
        path = tmp_path / f"{value}.hex"
        path.write_text(f"{value:08x}\n")
        with RtlTransport(SOURCE, program=path) as model:
            assert model.exchange(packet(flags=KEY)).words[-1] == value


def test_events_carry_cycle_and_value(image: Path) -> None:
    with RtlTransport(SOURCE, program=image, events=True) as model:
        model.take_events()
        model.exchange(packet(1))
        events = model.take_events()
    instructions = [event.value for event in events if event.kind == EventKind.INSTRUCTION]
    assert instructions == list(range(WAIT))
    (issue,) = [event for event in events if event.kind == EventKind.FIELD_ISSUE]
    (done,) = [event for event in events if event.kind == EventKind.FIELD_DONE]
    assert issue.value == 7
    assert done.cycle - issue.cycle == WAIT - 1


def test_plain_model_says_it_records_no_events(echo: RtlTransport) -> None:
    with pytest.raises(TransportError, match="events=True"):
        echo.take_events()


def test_waveform_is_written(image: Path, tmp_path: Path) -> None:
    wave = tmp_path / "trace.vcd"
    with RtlTransport(SOURCE, wave, program=image) as model:
        model.exchange(packet(1))
    text = wave.read_text()
    assert "req_i" in text and text.count("\n#") > 20
    with pytest.raises(ValueError, match=r"\.vcd or \.fst"):
        RtlTransport(SOURCE, tmp_path / "trace.txt", program=image)
    with pytest.raises(TransportError, match="folder"):
        RtlTransport(SOURCE, tmp_path / "absent" / "trace.vcd", program=image)


def test_closed_model_refuses(echo: RtlTransport) -> None:
    echo.close()
    with pytest.raises(TransportError, match="closed"):
        echo.exchange(packet(1))


def test_handles_are_independent(image: Path) -> None:
    first, second = RtlTransport(SOURCE, program=image), RtlTransport(SOURCE, program=image)
    first.idle(100)
    assert first.clocks == second.clocks + 100
    assert second.exchange(packet(9)).words[2] == 9


def test_models_close_in_any_order(image: Path) -> None:
    """A model stays open while a later one is closed. It may be used in between or not."""
    for used in (False, True):
        models = [RtlTransport(SOURCE, program=image) for _ in range(3)]
        models[2].close()
        # The memory of the closed model's context is allocated again, with other contents.
        clutter = [bytes([0xA5]) * size for size in range(100, 6000, 10)]
        if used:
            models[0].exchange(packet(1))
        models[0].close()
        assert models[1].exchange(packet(9)).words[2] == 9
        models[1].close()
        del clutter


def test_build_errors_say_what_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="no RTL"):
        build_model(ModelSource("eccel_none", ()))
    broken = tmp_path / "eccel_broken.sv"
    broken.write_text("module eccel_broken (input logic clk_i); assign = 1; endmodule\n")
    with pytest.raises(BuildError, match="syntax error"):
        build_model(ModelSource("eccel_broken", (broken,)))
    with pytest.raises(BuildError, match="public_flat_rd"):
        find_signals("CData top__DOT__other;", "top", ["pc_q"])


def test_signal_nearest_to_the_top_is_chosen() -> None:
    header = "SData t__DOT__u_seq__DOT__u_x__DOT__pc_q;\nSData t__DOT__u_seq__DOT__pc_q;\n"
    assert find_signals(header, "t", ["pc_q"]) == {"pc_q": "t__DOT__u_seq__DOT__pc_q"}


def test_activity_is_the_number_of_registers_that_change(image: Path) -> None:
    """While the stand-in engine waits, only its index counts."""
    with RtlTransport(SOURCE, program=image, events=True) as model:
        model.count_activity(True)
        model.record_events(True)
        begin = model.clocks
        model.exchange(packet(1))
        changes = list(memoryview(model.take_activity()).cast("H"))
        events = model.take_events()
        assert len(changes) == model.clocks - begin
        assert model.take_activity() == b""
        model.count_activity(False)
        model.exchange(packet(1))
        assert model.take_activity() == b""
    waits = [(event.cycle, event.value) for event in events if event.kind == EventKind.INSTRUCTION]
    for cycle, index in waits[:-1]:
        assert changes[cycle - begin] == (index ^ index + 1).bit_count()


CODE = """
VL_INLINE_OPT void Vt___024root___nba_sequent__TOP__0(Vt___024root* vlSelf) {
    vlSelfRef.t__DOT__u_a__DOT__b_q = 3U;
    vlSelfRef.t__DOT__gen__BRA__1__KET____DOT__c_q[1U][2U] = vlSelfRef.t__DOT__b_d;
    VL_ASSIGN_W(218, vlSelfRef.t__DOT____Vcellout__u_mul__p_o, __Vtemp_1);
    vlSelfRef.t__DOT__b_d = (1U & vlSelfRef.t__DOT__u_a__DOT__b_q);
}
VL_ATTR_COLD void Vt___024root___stl_sequent__TOP__0(Vt___024root* vlSelf) {
    vlSelfRef.t__DOT__b_d = (1U & vlSelfRef.t__DOT__u_a__DOT__b_q);
}
"""


def test_registers_are_what_only_a_clock_edge_assigns() -> None:
    header = "CData/*4:0*/ t__DOT__u_a__DOT__b_q;\nCData/*0:0*/ t__DOT__b_d;\n"
    header += "CData/*4:0*/ __Vdly__t__DOT__u_a__DOT__b_q;\n"
    header += "VlUnpacked<IData/*30:0*/, 9> t__DOT__u_file__DOT__mem;\n"
    header += "VlUnpacked<VlUnpacked<VlWide<7>/*217:0*/, 2>, 3> t__DOT__gen__BRA__1__KET____DOT__c_q;\n"
    header += "IData/*31:0*/ t__DOT____Vcellout__u_mul__p_o;\n"
    members = layout(header, "t", registers([CODE], "t"))
    assert [(m.name.removeprefix("t__DOT__"), m.width, m.elements, m.place) for m in members] == [
        ("u_a__DOT__b_q", 5, 1, Place.STATE),
        ("u_file__DOT__mem", 31, 9, Place.REGISTERS),
        ("gen__BRA__1__KET____DOT__c_q", 218, 6, Place.STATE),
        ("__Vcellout__u_mul__p_o", 32, 1, Place.STATE),
    ]
    assert parse_lines([member.line for member in members]) == members
    assert locate(members, Place.STATE, 5 + 218 + 7).text == "gen[1].c_q[1] bit 7"
    with pytest.raises(IndexError, match="279 bits"):
        locate(members, Place.REGISTERS, 279)


def bit_of(model: RtlTransport, name: str, element: int, bit: int) -> int:
    """The number of a state bit."""
    at = 0
    for member in model.state:
        if member.place == Place.STATE:
            if signal(member.name) == name:
                return at + element * member.width + bit
            at += member.bits
    raise AssertionError(name)


@pytest.mark.parametrize("late", [-12, 0, 1])
def test_a_flipped_bit_is_seen_from_its_clock_on(image: Path, late: int) -> None:
    """Also by logic between registers and outputs: in the clock in which the word leaves."""
    words = packet(5, 6)
    leaves = len(words) + WAIT + 3
    with RtlTransport(SOURCE, program=image, events=True) as model:
        good = model.exchange(words).words
        bit = bit_of(model, "words_q", 3, 7)
        assert locate(model.state, Place.STATE, bit).text == "words_q[3] bit 7"
        model.flip(leaves + late, Place.STATE, bit)
        bad = model.exchange(words).words
        again = model.exchange(words).words
    wrong = {i: a ^ b for i, (a, b) in enumerate(zip(good, bad, strict=True)) if a != b}
    assert wrong == ({3: 1 << 7} if late <= 0 else {})
    assert again == good, "the flip is for one exchange"


def test_flips_add_up_and_need_a_bit_that_exists(image: Path) -> None:
    words = packet(5, 6)
    with RtlTransport(SOURCE, program=image, events=True) as model:
        good = model.exchange(words).words
        bit = bit_of(model, "words_q", 3, 7)
        model.flip(12, Place.STATE, bit)
        model.flip(9, Place.STATE, bit)
        assert model.exchange(words).words == good
        with pytest.raises(TransportError, match="no bit"):
            model.flip(0, Place.STATE, model.state_bits(Place.STATE))
    with RtlTransport(SOURCE, program=image) as plain, pytest.raises(TransportError, match="events=True"):
        plain.flip(0, Place.STATE, 0)
