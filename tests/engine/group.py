"""eccel_group with models of its job ports and of the sequencer, and the account of every packet."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from eccelerate import isa
from eccelerate.driver.packet import Request
from tests.engine.units import PACKAGES
from tests.module import Module, Struct
from tests.verilated import Patch

SOURCES = (*PACKAGES, "engine/eccel_group.sv")
JOB = isa.load("turbo").job
JOB_FIELDS = Struct("engine/eccel_engine_pkg.sv", "job_t")
EXCLUSIVE = [JOB[name] for name in ("CURVE_LOAD", "KEY_LOAD", "KEYGEN", "ZEROISE", "SELF_TEST")]
REFUSED = JOB["X_LADDER"]
"""An operation that the model ports refuse."""
WIDTH, CURVE = 1, 5
HOW = ("done", "refused", "zeroised")
VALID, LAST = 1 << 33, 1 << 32
THREADS, WAIT_CLOCKS = 4, 150


def packet(op: int, flags: int, operands: int, tag: int) -> list[int]:
    """A request."""
    return Request(op, CURVE, tag, flags, WIDTH, tuple(range(operands))).words()


@dataclass
class Port:
    """A job port: what eccel_job_port guarantees, with random delays.

    state: idle, receive, check, start, run, wipe, drain or respond. since: clock of the start pulse.
    """

    number: int
    rng: random.Random
    sent: dict[tuple[int, int], list[int]]  # responses that have not yet left, by tag and port
    state: str = "idle"
    words: list[int] = field(default_factory=list)
    response: list[int] = field(default_factory=list)
    pause: int = 0
    ended: bool = False
    zeroise: bool = False
    since: int = 0

    @property
    def job(self) -> int:
        """job_o, from the first two words."""
        header, second = (*self.words, 0, 0)[:2]
        return JOB_FIELDS.pack(
            op=header & 63,
            flags=second >> 16 & 255,
            elements=second & 15,
            words=WIDTH,
            curve=header >> 8 & 255,
        )

    @property
    def kind(self) -> tuple[int, int, int]:
        """What the jobs of a group have in common: operation, flags, number of operands."""
        return self.words[0] & 255, self.words[1] >> 16 & 31, self.words[1] & 15

    @property
    def ready(self) -> bool:
        return self.state in ("idle", "receive", "drain") and not self.pause and not self.zeroise

    @property
    def wipes(self) -> bool:
        return self.state == "wipe" or (self.state == "run" and self.zeroise)

    def rsp(self) -> int:
        """The word that is offered; its data come two clocks after valid."""
        if self.state != "respond" or self.pause > 2:
            return 0
        late = self.pause > 0
        data = self.rng.getrandbits(32) if late else self.response[0]
        return VALID | (len(self.response) == 1) * LAST | data

    def step(self, word: int | None, finish: bool, wiped: bool, sent: bool, pulse: bool, clock: int) -> None:
        """One clock: a word that comes, finish_i, a word that has been transferred, a zeroise pulse."""
        self.pause = max(0, self.pause - 1)
        if word is not None:
            self.words = [word & 0xFFFFFFFF] if self.state == "idle" else [*self.words, word & 0xFFFFFFFF]
            self.pause, self.ended = 3 + len(self.words) % 3, bool(word & LAST)  # the same in all ports
            self.state = "drain" if self.state == "drain" else "receive"
            if self.ended:
                if self.state == "drain":
                    self.respond("zeroised")
                else:
                    self.state, self.pause = "check", 2
        elif self.state == "check" and not self.pause:
            if self.words[0] & 255 == REFUSED:
                self.respond("refused")
            else:
                self.state, self.since = "start", clock + 1
        elif self.state == "start":
            self.state = "run"
        elif self.state in ("run", "wipe") and finish:
            if self.state == "run" and self.zeroise and not wiped:
                self.state = "wipe"
            elif self.state == "run" and not wiped:
                self.respond("done")
            else:
                self.zeroise = False
                if not self.words:
                    self.state = "idle"
                elif self.ended:
                    self.respond("zeroised")
                else:
                    self.state = "drain"
        elif self.state == "respond" and sent:
            self.response.pop(0)
            self.pause = self.rng.choice((5, 5, 12))
            if not self.response:
                self.state, self.words, self.ended, self.pause = "idle", [], False, 0
        self.zeroise = self.zeroise or pulse
        if self.zeroise and self.state in ("idle", "receive", "drain"):
            self.state = "wipe"

    def respond(self, how: str) -> None:
        """The response: tag, how the job ended, this port."""
        header = self.words[0] & ~0xFF | HOW.index(how) << 4 | self.number
        rest = [self.rng.getrandbits(32) for _ in range(self.rng.randrange(4))]
        self.state, self.response, self.pause = "respond", [header, *rest], self.rng.randrange(3, 9)
        self.sent[self.words[0] >> 16, self.number] = [header, *rest]


class Group:
    """The bench.

    answers: by tag, how a job ended and the port that answered. groups: members of each group. waits: clocks
    from the start pulse of a leader's port to that of the group. wipes: how often the zeroise handler ran.
    pulses: clocks in which zeroise comes.
    """

    def __init__(self, seed: int = 0, patches: Sequence[Patch] = ()) -> None:
        parameters = {"Threads": THREADS, "WaitClocks": WAIT_CLOCKS}
        self.module = Module("engine", "eccel_group", SOURCES, parameters, patches)
        self.rng = random.Random(seed)
        self.sent: dict[tuple[int, int], list[int]] = {}
        self.ports = [Port(number, self.rng, self.sent) for number in range(THREADS)]
        self.sequencer, self.left, self.wiped = "halt", 0, False
        self.members: set[int] = set()
        self.gave: set[int] = set()  # ports that wiped when the handler began
        self.runs_left = 0  # runs of the handler after which a port still wiped
        self.passed = [0] * THREADS  # how many groups a port with a job has seen start without it
        self.words: list[int] = []
        self.answers: dict[int, tuple[str, int]] = {}
        self.groups: list[set[int]] = []
        self.waits: list[int] = []
        self.wipes = 0
        self.pulses: set[int] = set()

    def run(self, packets: Sequence[list[int]], gaps: Sequence[int] = (0,), limit: int = 60_000) -> None:
        """Sends packets, with gaps between them, until all are answered and the engine is idle."""
        words = [word | (i == len(p) - 1) * LAST for p in packets for i, word in enumerate(p)]
        wanted = len(self.answers) + len(packets)
        gap = 0
        for _ in range(limit):
            offers = bool(words) and not gap
            gap = max(0, gap - 1)
            if self.clock(words[0] if offers else None):
                gap = self.rng.choice(gaps) if words[0] & LAST else 0
                words.pop(0)
            idle = self.sequencer == "halt" and all(port.state == "idle" for port in self.ports)
            if len(self.answers) == wanted and idle and not self.pulses:
                return
        raise AssertionError("responses are missing")

    def clock(self, word: int | None) -> bool:
        """One clock; whether the word was transferred."""
        module, ports, rng = self.module, self.ports, self.rng

        def mask(bits: Sequence[bool]) -> int:
            return sum(1 << i for i, bit in enumerate(bits) if bit)

        now, finish = module.clocks, self.sequencer == "finish"
        ready = [port.ready for port in ports]
        offered = [port.rsp() for port in ports]
        host_ready = rng.random() < 0.8
        module.clock(
            req_i=0 if word is None else VALID | word,
            rsp_ready_i=host_ready,
            port_req_ready_i=mask(ready),
            port_rsp_i=offered,
            port_busy_i=mask([port.state != "idle" for port in ports]),
            port_start_i=mask([port.state == "start" for port in ports]),
            port_wipe_i=mask([port.wipes for port in ports]),
            port_job_i=[port.job for port in ports],
            finish_i=finish,
            wiped_i=self.wiped,
        )
        self._host(module["rsp_o"], host_ready)
        self._sequence(now)
        requests, finishes = module.array("port_req_o"), module["port_finish_o"]
        rsp_ready, pulse = module["port_rsp_ready_o"], now in self.pulses
        self.pulses.discard(now)
        wiped = self.wiped
        for i, port in enumerate(ports):
            taken = requests[i] if requests[i] & VALID and ready[i] else None
            sent = bool(offered[i] & VALID and rsp_ready >> i & 1)
            if wiped and finishes >> i & 1 and port.wipes:
                assert i in self.gave, "the handler has not seen all of this mailbox"
            port.step(taken, bool(finishes >> i & 1), wiped, sent, pulse, now)
        if wiped and finishes:
            self.runs_left += any(port.wipes for port in ports)
        if self.sequencer == "halt" and not module["wipe_o"]:
            self.wiped = False
        return word is not None and bool(module["req_ready_o"])

    def _host(self, rsp: int, ready: bool) -> None:
        if rsp & VALID and ready:
            self.words.append(rsp & 0xFFFFFFFF)
            if rsp & LAST:
                tag, port = self.words[0] >> 16, self.words[0] & 15
                assert self.sent[tag, port] == self.words and tag not in self.answers
                self.answers[tag] = HOW[self.words[0] >> 4 & 15], port
                self.words = []

    def _sequence(self, now: int) -> None:
        """The sequencer, as eccel_useq: it ends every job, and runs the handler between instructions."""
        module = self.module
        starts, wipes = bool(module["start_o"]), bool(module["wipe_o"])
        assert not starts or self.sequencer == "halt", "a job starts while another one runs"
        if self.sequencer == "finish":
            self.sequencer = "halt"
        elif self.sequencer == "halt":
            if wipes:
                self._begin_wipe()
            elif starts:
                self._begin_job(now)
        else:
            if not self.wiped:
                assert {t for t in range(THREADS) if module["member_o"] >> t & 1} >= self.members
            self.left -= 1
            if wipes and not self.wiped and self.rng.random() < 0.2:
                self._begin_wipe()
            elif self.left <= 0:
                assert not self.wiped or module["member_o"] == (1 << THREADS) - 1
                self.sequencer = "finish"

    def _begin_wipe(self) -> None:
        self.sequencer, self.wiped, self.left = "run", True, self.rng.randrange(10, 60)
        self.gave = {port.number for port in self.ports if port.wipes}
        self.wipes += 1

    def _begin_job(self, now: int) -> None:
        """Checks the group that starts."""
        module = self.module
        members = {t for t in range(THREADS) if module["member_o"] >> t & 1}
        lead = module["lead_o"]
        assert lead in members and all(self.ports[t].state == "run" for t in members)
        kind = self.ports[lead].kind
        assert {self.ports[t].kind for t in members} == {kind}
        job = JOB_FIELDS.unpack(module["job_o"])
        assert (job["op"], job["flags"] & 31, job["elements"]) == (kind[0] & 63, kind[1], kind[2])
        for t, port in enumerate(self.ports):
            pending = port.state == "run" and port.since + 5 < now and t not in members
            assert not pending or port.kind != kind, "a job that fits waits"
            self.passed[t] = self.passed[t] + 1 if pending else 0
            assert self.passed[t] < THREADS, "a job waits for ever"
        if kind[0] in EXCLUSIVE:
            assert module["exclusive_o"] and len(members) == THREADS
            assert job["flags"] == self.ports[0].words[1] >> 16 & 255
            assert (job["words"], job["curve"]) == (WIDTH, CURVE)
        else:
            assert not module["exclusive_o"]
        self.groups.append(members)
        self.waits.append(now - min(self.ports[t].since for t in members))
        self.members = members
        self.sequencer, self.left = "run", self.rng.choice((1, 5, 60, 150))
