"""The transport over the registers of a window, on a model of the registers with the golden engine behind it.
The registers of the RTL are checked in tests/bus.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from eccelerate.curves import find_curve
from eccelerate.driver import Engine, TransportError
from eccelerate.driver.register_transport import RegisterTransport
from eccelerate.model.jobs import Op, Status
from eccelerate.regs import ID_VALUE, PAGE_BITS, REGISTERS
from eccelerate.rtlsim.golden_transport import GoldenTransport

P256 = find_curve("P-256")
CAPACITY = 126
NAMES = {register.offset: name for name, register in REGISTERS.items()}
TAG_MASK = 0x1FFFFFFF


def bits(*names: str) -> int:
    return sum(REGISTERS["STATUS"][name].mask for name in names)


class Window:
    """Packet under way, responses and sticky bits of a window."""

    def __init__(self) -> None:
        self.request: list[int] = []
        self.response: list[int] = []
        self.sticky = bits("CLEARED")


class Shell:
    """Registers of a peripheral with `count` windows. Raises AssertionError for an access that the RTL would
    refuse.
    """

    def __init__(self, count: int = 1) -> None:
        self.windows = [Window() for _ in range(count)]
        self.engine = GoldenTransport()
        self.silent = False

    def read(self, address: int) -> int:
        window, name = self.windows[address >> PAGE_BITS], NAMES[address & 0xFFF]
        if name == "ID":
            return ID_VALUE
        if name == "CONFIG":
            return REGISTERS["CONFIG"]["WINDOWS_LOG2"].put(len(self.windows).bit_length() - 1)
        if name == "STATUS":
            valid = bits("RSP_VALID") * bool(window.response)
            return bits("REQ_READY") | valid | bits("PARTIAL") * bool(window.request) | window.sticky
        assert name == "RSP_DATA" and window.response
        return window.response.pop(0)

    def write(self, address: int, word: int) -> None:
        window, name = self.windows[address >> PAGE_BITS], NAMES[address & 0xFFF]
        if name in ("REQ_DATA", "REQ_LAST"):
            window.request.append(word)
            if len(window.request) > CAPACITY:
                window.sticky |= bits("OVERFLOW")
            elif name == "REQ_LAST" and not self.silent:
                answer = self.engine.exchange(window.request).words
                kept = TAG_MASK if len(self.windows) > 1 else 0xFFFFFFFF
                window.response = [answer[0] & kept, *answer[1:]]
            if name == "REQ_LAST":
                window.request = []
        elif name == "STATUS":
            window.sticky &= ~word
        else:
            assert name == "CONTROL"
            window.request = []
            if word & REGISTERS["CONTROL"]["ZEROISE"].mask:
                for each in self.windows:
                    each.response, each.sticky = [], each.sticky | bits("CLEARED")


@pytest.mark.parametrize(("count", "window"), [(1, 0), (2, 1), (8, 5)])
def test_jobs_go_through_a_window(count: int, window: int) -> None:
    shell = Shell(count)
    shell.write(window << PAGE_BITS | REGISTERS["REQ_DATA"].offset, 7)  # left by an earlier program
    engine = Engine(RegisterTransport(shell, window))
    engine.load_curve(P256)
    assert engine.base_mul(1).point == P256.generator
    engine._tag = 0xFFF0  # tags of 16 bits, of which a window of several gets 13 back
    for k in range(1, 40):
        assert engine.submit(Op.MOD_ADD, (k, 1)).values == (k + 1,)
    assert not any(each.request or each.response for each in shell.windows)


def test_a_window_that_is_not_there_is_refused() -> None:
    for count, window in ((1, 1), (2, 2), (4, -1)):
        with pytest.raises(TransportError, match=r"no window|no shell"):
            RegisterTransport(Shell(count), window)


def test_a_zeroise_by_another_window_is_noticed() -> None:
    shell = Shell(2)
    two = RegisterTransport(shell, 1)
    shell.silent = True

    class Zeroising:
        """The bus of window 0, on which window 1 zeroises while a response is awaited."""

        def __init__(self, then: Callable[[], None]) -> None:
            self.reads, self.then = 0, then

        def read(self, address: int) -> int:
            self.reads += 1
            if self.reads == 6:
                self.then()
            return shell.read(address)

        def write(self, address: int, word: int) -> None:
            shell.write(address, word)

    one = RegisterTransport(Zeroising(two.zeroise), 0)
    with pytest.raises(TransportError, match="reset or zeroised"):
        one.exchange([int(Op.ZEROISE), 8 << 24])
    shell.silent = False
    assert one.exchange([int(Op.ZEROISE), 8 << 24]).words[0] & 0xFF == Status.OK


def test_no_response_and_a_refused_packet_are_errors() -> None:
    shell = Shell()
    transport = RegisterTransport(shell, polls=10)
    with pytest.raises(TransportError, match="refused"):
        transport.exchange([1] * (CAPACITY + 1))
    shell.silent = True
    with pytest.raises(TransportError, match="RSP_VALID after 10 reads"):
        transport.exchange([1, 2])
