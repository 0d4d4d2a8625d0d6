"""Constant time by self-composition: two copies of a module with different secrets keep equal control.

The module goes through Yosys to SMT-LIB once, and yices gets two of its transitions. From "all registers
agree" the proof drops every register (or bit of one) that one step can make differ, until the rest is
inductive. What remains is public state, which is found and not declared. Then all outputs that are not named
secret, and every control input of a memory or multiplier, must follow from it. The proof is unbounded in
time.

Claim: two runs that agree in the public state (as after the same reset and the same public inputs) and get
equal public inputs show equal control in every cycle, whatever the secrets are.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from eccelerate.configs.config import ROOT

STUBBED = {"eccel_ram.sv", "eccel_rom.sv", "eccel_mul18.sv"}
STUBS = ROOT / "formal" / "stubs.sv"
TIMEOUT_S = 240
SHORT_BITS = 32

YOSYS = """
import sys
from pyosys import libyosys as ys
design = ys.Design()
ys.Pass.call(design, ["read_slang", *sys.argv[3:], "--top", sys.argv[1]])
for command in (
    f"hierarchy -top {sys.argv[1]}", "proc", "flatten", "cutpoint -blackbox", "memory -nomap", "memory_map",
    "opt_expr", "opt_dff -nodffe -nosdff", "opt_clean",
    "async2sync", "dffunmap", "opt_clean", f"rename {sys.argv[1]} m",
    "write_smt2 -wires " + sys.argv[2],
):
    ys.run_pass(command, design)
"""


@dataclass(frozen=True)
class Public:
    """A signal that is sometimes public: `wire` agrees in both copies while `guard` holds (an SMT term over
    wires, written {name}).
    """

    guard: str
    wire: str


@dataclass(frozen=True)
class Claim:
    """What to prove about `top`.

    secret_inputs: inputs that may differ.
    secret_outputs: outputs that need not agree.
    secret_control: control inputs of memories that need not agree, each with a reason where it is written.
    public: exceptions, each with a reason where it is written.
    must_hold: registers that have to be public.
    invariants: SMT terms over wires that hold from reset on. They are proved first, and the proof may use
        them.
    """

    top: str
    secret_inputs: frozenset[str]
    secret_outputs: frozenset[str] = frozenset()
    secret_control: frozenset[str] = frozenset()
    public: tuple[Public, ...] = ()
    must_hold: frozenset[str] = frozenset()
    invariants: tuple[str, ...] = ()


@dataclass
class Verdict:
    """`leaks` is the control that can differ; it is empty if the claim holds. `public` and `secret` are
    registers, of which a secret one has at least one secret bit.
    """

    leaks: list[str] = field(default_factory=list)
    public: set[str] = field(default_factory=set)
    secret: set[str] = field(default_factory=set)


def prove(claim: Claim, files: dict[str, str], folder: Path, parameters: Sequence[str] = ()) -> Verdict:
    """Prove or refute a claim about RTL texts (path under rtl/ -> text), packages first. Files are written to
    `folder`.
    """
    paths = [STUBS]
    for name, text in files.items():
        if Path(name).name not in STUBBED:
            paths.append(folder / Path(name).name)
            paths[-1].write_text(text)
    smt = folder / "m.smt2"
    done = subprocess.run(
        [sys.executable, "-c", YOSYS, claim.top, str(smt), *parameters, *map(str, paths)],
        capture_output=True, text=True, timeout=TIMEOUT_S,
    )  # fmt: skip
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    return _Proof(claim, smt.read_text()).run()


# A register or wire, or one bit of it.
Place = tuple[str, int | None]


def at(term: str, state: str) -> str:
    """An SMT term over wires, {name}, in a state."""
    return re.sub(r"\{(.*?)\}", rf"(|m_n \1| {state})", term)


class _Proof:
    """Two copies, with states s1 -> t1 and s2 -> t2, in one incremental yices process."""

    def __init__(self, claim: Claim, model: str) -> None:
        self.claim = claim
        kinds: dict[str, set[str]] = {}
        self.widths: dict[str, int] = {}
        for kind, name, width in re.findall(r"^; yosys-smt2-(\w+) (\S+) (\d+)", model, re.M):
            kinds.setdefault(kind, set()).add(name)
            self.widths[name] = int(width)
        self.registers = kinds.get("register", set())
        self.inputs, self.outputs = kinds["input"], kinds["output"]
        self.wires = kinds["wire"] | self.inputs | self.outputs | self.registers
        for name in (*claim.secret_inputs, *claim.secret_outputs, *claim.secret_control, *claim.must_hold):
            assert name in self.wires, f"{claim.top} has no {name}"
        self.solver = subprocess.Popen(
            ["yices-smt2", "--incremental"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.send("(set-option :produce-models true)\n(set-logic QF_UFBV)\n" + model)
        for copy in "12":
            self.send(f"(declare-fun s{copy} () |m_s|)\n(declare-fun t{copy} () |m_s|)")
            self.send(f"(assert (|m_t| s{copy} t{copy}))\n(assert (|m_h| s{copy}))")

    def send(self, text: str) -> None:
        assert self.solver.stdin is not None
        self.solver.stdin.write(text + "\n")
        self.solver.stdin.flush()

    def ask(self, text: str) -> str:
        """One answer of yices, which may have several lines: until its parentheses are closed."""
        self.send(text)
        assert self.solver.stdout is not None
        answer = ""
        while not answer.strip() or answer.count("(") != answer.count(")"):
            line = self.solver.stdout.readline()
            assert line, "yices ended"
            answer += line
        return answer.strip()

    def same(self, place: Place, time: str = "s") -> str:
        name, bit = place
        terms = [f"(|m_n {name}| {time}{copy})" for copy in "12"]
        if bit is not None:
            terms = [f"((_ extract {bit} {bit}) {term})" for term in terms]
        return f"(= {' '.join(terms)})"

    def bits(self, places: set[Place]) -> set[Place]:
        """The bits of the places that are short words. Wide words are data, whose bits are treated alike."""
        short = [n for n, bit in places if bit is None and 1 < self.widths[n] < SHORT_BITS]
        return {(n, i) for n in short for i in range(self.widths[n])}

    def prove_invariants(self) -> None:
        """Prove that every invariant holds after a cycle of reset, and after a step from a state in which all
        hold.
        """
        if not self.claim.invariants:
            return
        before, after = (f"(and {' '.join(at(i, s) for i in self.claim.invariants)})" for s in ("s1", "t1"))
        for start in (at("(not {rst_ni})", "s1"), before):
            self.send(f"(push 1)\n(assert {start})\n(assert (not {after}))")
            assert self.ask("(check-sat)") == "unsat", f"an invariant of {self.claim.top} does not hold"
            self.send("(pop 1)")
        self.send(f"(assert {before})\n(assert {before.replace(' s1)', ' s2)')})")

    def run(self) -> Verdict:
        claim = self.claim
        self.prove_invariants()
        for name in self.inputs - claim.secret_inputs - {"clk_i"}:
            self.send(f"(assert {self.same((name, None))})")
        for name in self.wires:
            if name.rpartition(".")[2] == "formal_public":
                self.send(f"(assert {self.same((name, None))})")
        for public in claim.public:
            guards = [at(public.guard, f"s{copy}") for copy in "12"]
            self.send(f"(assert (=> (and {' '.join(guards)}) {self.same((public.wire, None))}))")
        held: set[Place] = {(name, None) for name in self.registers}
        while True:
            self.send("(push 1)")
            self.send("".join(f"(assert {self.same(place)})\n" for place in sorted(held, key=str)))
            differing = self.differing(held, "t")
            if not differing:
                break
            self.send("(pop 1)")
            held = (held - differing) | self.bits(differing)
        control = {w for w in self.wires if w.rpartition(".")[2].startswith("formal_")} - claim.secret_control
        seen = self.differing({(w, None) for w in control | (self.outputs - claim.secret_outputs)}, "s")
        self.send("(exit)")
        self.solver.wait(10)
        lost = {n for n in claim.must_hold if (n, None) not in held}
        secret = {n for n in self.registers if (n, None) not in held}
        return Verdict(sorted({n for n, _ in seen} | lost), self.registers - secret, secret)

    def differing(self, places: set[Place], time: str) -> set[Place]:
        """Places at which some model makes the two copies differ. Empty if no model does."""
        order = sorted(places, key=str)
        if not order:
            return set()
        self.send("(push 1)")
        self.send("(assert (or " + " ".join(f"(not {self.same(place, time)})" for place in order) + "))")
        answer = self.ask("(check-sat)")
        assert answer in ("sat", "unsat"), answer
        found: set[Place] = set()
        if answer == "sat":
            values = self.ask("(get-value (" + " ".join(self.same(place, time) for place in order) + "))")
            truths = re.findall(r"(true|false)\)\s*(?=\(|\))", values)
            assert len(truths) == len(order), values[:300]
            found = {place for place, truth in zip(order, truths, strict=True) if truth == "false"}
            assert found
        self.send("(pop 1)")
        return found
