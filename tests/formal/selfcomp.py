"""Constant time by self-composition: two copies of a module with different secrets keep equal control.

The module goes through Yosys to SMT-LIB once; two of its transitions are set side by side in yices. From "all
registers agree" the proof drops every register that one step can make differ, until the rest is inductive: what
remains is public state, found and not declared. Then all outputs that are not named secret, and every control
input of a memory or multiplier, must follow from it. The proof is unbounded in time.

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

from eccelerate.sim.config import ROOT

STUBBED = {"eccel_ram.sv", "eccel_rom.sv", "eccel_mul18.sv"}
STUBS = ROOT / "formal" / "stubs.sv"
TIMEOUT_S = 240

YOSYS = """
import sys
from pyosys import libyosys as ys
design = ys.Design()
ys.Pass.call(design, ["read_slang", *sys.argv[3:], "--top", sys.argv[1]])
for command in (
    f"hierarchy -top {sys.argv[1]}", "proc", "flatten", "cutpoint -blackbox", "memory -nomap", "memory_map", "opt_clean",
    "async2sync", "dffunmap", "opt_clean", f"rename {sys.argv[1]} m", "write_smt2 -wires " + sys.argv[2],
):
    ys.run_pass(command, design)
"""


@dataclass(frozen=True)
class Public:
    """Something that is public at certain times: `wire` agrees in both copies while `guard` holds (an SMT term over
    wires, written {name})."""

    guard: str
    wire: str


@dataclass(frozen=True)
class Claim:
    """What to prove about `top`.

    secret_inputs: may differ.   secret_outputs: need not agree.   public: exceptions, each with a reason at
    its place.   must_hold: registers that have to be public.
    """

    top: str
    secret_inputs: frozenset[str]
    secret_outputs: frozenset[str] = frozenset()
    public: tuple[Public, ...] = ()
    must_hold: frozenset[str] = frozenset()


@dataclass
class Verdict:
    """`leaks`: control that can differ, empty when the claim holds. public, secret: registers."""

    leaks: list[str] = field(default_factory=list)
    public: set[str] = field(default_factory=set)
    secret: set[str] = field(default_factory=set)


def prove(claim: Claim, files: dict[str, str], folder: Path, parameters: Sequence[str] = ()) -> Verdict:
    """Prove or refute a claim about RTL texts (path under rtl/ -> text), packages first. folder: scratch."""
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


class _Proof:
    """Two copies, states s1 -> t1 and s2 -> t2, in one incremental yices process."""

    def __init__(self, claim: Claim, model: str) -> None:
        self.claim = claim
        kinds: dict[str, set[str]] = {}
        for kind, name in re.findall(r"^; yosys-smt2-(\w+) (\S+)", model, re.M):
            kinds.setdefault(kind, set()).add(name)
        self.registers = kinds.get("register", set())
        self.inputs, self.outputs = kinds["input"], kinds["output"]
        self.wires = kinds["wire"] | self.inputs | self.outputs | self.registers
        for name in (*claim.secret_inputs, *claim.secret_outputs, *claim.must_hold):
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
        self.send(text)
        assert self.solver.stdout is not None
        return self.solver.stdout.readline().strip()

    def same(self, name: str, time: str = "s") -> str:
        return f"(= (|m_n {name}| {time}1) (|m_n {name}| {time}2))"

    def run(self) -> Verdict:
        claim = self.claim
        for name in self.inputs - claim.secret_inputs - {"clk_i"}:
            self.send(f"(assert {self.same(name)})")
        for name in self.wires:
            if name.rpartition(".")[2] == "formal_public":
                self.send(f"(assert {self.same(name)})")
        for public in claim.public:
            guards = [re.sub(r"\{(.*?)\}", rf"(|m_n \1| s{copy})", public.guard) for copy in "12"]
            self.send(f"(assert (=> (and {' '.join(guards)}) {self.same(public.wire)}))")
        held = set(self.registers)
        while True:
            self.send("(push 1)")
            self.send("".join(f"(assert {self.same(name)})\n" for name in sorted(held)))
            differing = self.differing(held, "t")
            if not differing:
                break
            self.send("(pop 1)")
            held -= differing
        control = {w for w in self.wires if w.rpartition(".")[2].startswith("formal_")}
        leaks = self.differing(control | (self.outputs - claim.secret_outputs), "s")
        self.send("(exit)")
        self.solver.wait(10)
        return Verdict(sorted(leaks | (claim.must_hold - held)), held, self.registers - held)

    def differing(self, names: set[str], time: str) -> set[str]:
        """Names of which some model makes the two copies differ; empty when none does."""
        if not names:
            return set()
        order = sorted(names)
        self.send("(push 1)")
        self.send("(assert (or " + " ".join(f"(not {self.same(name, time)})" for name in order) + "))")
        answer = self.ask("(check-sat)")
        assert answer in ("sat", "unsat"), answer
        found = set()
        if answer == "sat":
            for name in order:
                if "false" in self.ask(f"(get-value ({self.same(name, time)}))"):
                    found.add(name)
            assert found
        self.send("(pop 1)")
        return found
